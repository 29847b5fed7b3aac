import type { LimitArea } from '@parley/contracts'
import { useText } from '../../../shared/i18n/index.ts'
import { Box, TextField } from '../../../shared/ui/index.ts'
import { Panel } from '../frame/page.tsx'
import { ConflictNotice } from '../parts/conflict-notice.tsx'
import { Form } from '../parts/form.tsx'
import { ActButton } from '../parts/read-only.tsx'
import { RestoredNotice } from '../parts/restored-notice.tsx'
import type { SaveSettings } from '../settings/save-settings.ts'
import { useEdited } from '../settings/use-edited.ts'
import { LimitPreview } from './limit-preview.tsx'
import { isWithin, type Limit, type LimitValues, limitBounds, limitFields, limitOf, valuesOf } from './limit-values.ts'

interface Props {
  readonly area: LimitArea
  readonly saved: Limit
  /** Version of the settings. */
  readonly version: number
  readonly busy: boolean
  readonly save: SaveSettings
}

const same = (a: LimitValues, b: LimitValues): boolean => limitFields.every((name) => a[name] === b[name])

/** The limit of one area, with a preview of whom it would have limited. Other admins' changes are shown before they are overwritten. */
export function LimitForm({ area, saved, version, busy, save }: Props) {
  const { t } = useText()
  const {
    value: values,
    isEdited,
    isOverrun,
    isRestored,
    change,
    drop,
  } = useEdited(`limit:${area}`, valuesOf(saved), same)
  const limit = limitOf(values)
  const submit = async () => {
    if (limit !== undefined && (await save({ rateLimits: { [area]: limit }, version }))) drop()
  }
  return (
    <Panel title={t(`limits.${area}`)} lead={t(`limits.${area}Lead`)}>
      <Box>
        <Form aria-label={t(`limits.${area}`)} onSubmit={() => void submit()}>
          {isOverrun && !busy && (
            <ConflictNotice current={saved} mine={limit ?? values} onKeep={() => void submit()} onTake={drop} />
          )}
          {isRestored && <RestoredNotice onDiscard={drop} />}
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
            {limitFields.map((name) => {
              const [least, most] = limitBounds[name]
              return (
                <TextField
                  key={name}
                  label={t(`limits.${name}`)}
                  value={values[name]}
                  inputMode="numeric"
                  onChange={({ target }) => change({ ...values, [name]: target.value })}
                  {...(!isWithin(name, values[name]) && { error: t('settings.bounds', { least, most }) })}
                  end={<span className="pe-3 text-sm text-ink-3">{t(`limits.${name}Unit`)}</span>}
                />
              )
            })}
          </div>
          <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
            {limit ? <LimitPreview area={area} limit={limit} /> : <span />}
            <ActButton
              type="submit"
              look="primary"
              busy={busy}
              disabled={!isEdited || isOverrun || limit === undefined}
            >
              {t('settings.save')}
            </ActButton>
          </div>
        </Form>
      </Box>
    </Panel>
  )
}
