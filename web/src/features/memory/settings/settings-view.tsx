import { memoryCategories, memoryConfidences } from '@parley/contracts/memory-constants'
import { useText } from '../../../shared/i18n/index.ts'
import { Loaded } from '../../../shared/loaded.tsx'
import { SelectField, Switch } from '../../../shared/ui/index.ts'
import { framed } from '../panel/nothing.tsx'
import type { MemoryActions } from '../use-memory-actions.ts'
import { Patterns } from './patterns.tsx'
import { useSettings } from './use-settings.ts'

const switches = ['enabled', 'autoDetection', 'semanticMemory', 'autoConsolidation'] as const

/** Memory settings. Each choice is saved immediately, and reverted on failure. */
export function SettingsView({ actions }: { actions: MemoryActions }) {
  const { t } = useText()
  const onFail = (error: unknown) => actions.fail(error, 'memory.settings.notSaved')
  const { settings, save, change } = useSettings(onFail)
  return (
    <Loaded
      query={settings}
      failed={t('memory.settings.failed')}
      shape={['40%', '70%', '40%', '70%', '40%', '70%']}
      className={framed}
    >
      {(now) => (
        <div className="flex flex-col gap-7">
          <div className="divide-y divide-line rounded-card border border-line">
            {switches.map((name) => (
              <Switch
                key={name}
                label={t(`memory.settings.${name}`)}
                hint={t(`memory.settings.${name}.hint`)}
                checked={now[name]}
                onChange={(checked) => change(() => ({ [name]: checked }))}
              />
            ))}
            <div className="px-4 py-3.5 md:px-5">
              <SelectField
                label={t('memory.settings.threshold')}
                options={memoryConfidences.map((name) => ({ name, text: t(`memory.settings.threshold.${name}`) }))}
                value={now.confidenceThreshold}
                onChange={(confidenceThreshold) => change(() => ({ confidenceThreshold }))}
                className="max-w-sm"
              />
            </div>
          </div>
          <fieldset>
            <legend className="font-semibold">{t('memory.settings.categories')}</legend>
            <p className="mt-0.5 mb-3 text-sm text-ink-2">{t('memory.settings.categoriesLead')}</p>
            <div className="grid grid-cols-2 gap-x-4 rounded-card border border-line p-3 sm:grid-cols-3">
              {memoryCategories.map((name) => (
                <label key={name} className="target flex min-h-9 cursor-pointer items-center gap-2.5 px-1 text-sm">
                  <input
                    type="checkbox"
                    checked={now.categoryPreferences[name] ?? true}
                    onChange={({ target: { checked } }) => change(() => ({ categoryPreferences: { [name]: checked } }))}
                    className="size-4 shrink-0 accent-(--brand)"
                  />
                  {t(`memory.category.${name}`)}
                </label>
              ))}
            </div>
          </fieldset>
          <Patterns
            patterns={now.detectionPatterns}
            onSwitch={(changesOf) => change((latest) => ({ detectionPatterns: changesOf(latest.detectionPatterns) }))}
            save={(changesOf) => save((latest) => ({ detectionPatterns: changesOf(latest.detectionPatterns) }))}
            onFail={onFail}
          />
        </div>
      )}
    </Loaded>
  )
}
