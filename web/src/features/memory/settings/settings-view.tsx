import { memoryCategories, memoryConfidences } from '@parley/contracts/memory-constants'
import { useText } from '../../../shared/i18n/index.ts'
import { Skeleton, Switch } from '../../../shared/ui/index.ts'
import { LoadFailure } from '../panel/load-failure.tsx'
import { Select } from '../panel/select.tsx'
import type { MemoryActions } from '../use-memory-actions.ts'
import { Patterns } from './patterns.tsx'
import { useSettings } from './use-settings.ts'

const switches = ['enabled', 'autoDetection', 'semanticMemory', 'autoConsolidation'] as const

/** Memory settings. Each choice is saved immediately, and reverted on failure. */
export function SettingsView({ actions }: { actions: MemoryActions }) {
  const { t } = useText()
  const onFail = (error: unknown) => actions.fail(error, 'memory.settings.notSaved')
  const { settings, error, refetch, save, change } = useSettings(onFail)
  if (!settings) {
    if (error) return <LoadFailure error={error} fallback={t('memory.settings.failed')} onRetry={refetch} />
    return (
      <div className="rounded-card border border-line p-4">
        <Skeleton widths={['40%', '70%', '40%', '70%', '40%', '70%']} />
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-7">
      <div className="divide-y divide-line rounded-card border border-line">
        {switches.map((name) => (
          <Switch
            key={name}
            label={t(`memory.settings.${name}`)}
            hint={t(`memory.settings.${name}.hint`)}
            checked={settings[name]}
            onChange={(checked) => change({ [name]: checked }, { [name]: checked })}
          />
        ))}
        <div className="px-4 py-3.5 md:px-5">
          <Select
            label={t('memory.settings.threshold')}
            labelled
            options={memoryConfidences.map((name) => ({ name, text: t(`memory.settings.threshold.${name}`) }))}
            value={settings.confidenceThreshold}
            onChange={(confidenceThreshold) => change({ confidenceThreshold }, { confidenceThreshold })}
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
                checked={settings.categoryPreferences[name] ?? true}
                onChange={({ target: { checked } }) =>
                  change(
                    { categoryPreferences: { [name]: checked } },
                    { categoryPreferences: { ...settings.categoryPreferences, [name]: checked } },
                  )
                }
                className="size-4 shrink-0 accent-(--brand)"
              />
              {t(`memory.category.${name}`)}
            </label>
          ))}
        </div>
      </fieldset>
      <Patterns
        patterns={settings.detectionPatterns}
        onSwitch={(detectionPatterns, shown) => change({ detectionPatterns }, { detectionPatterns: shown })}
        save={(detectionPatterns) => save({ detectionPatterns })}
        onFail={onFail}
      />
    </div>
  )
}
