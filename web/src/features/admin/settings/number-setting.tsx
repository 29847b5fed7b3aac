import type { SettingsPatch } from '@parley/contracts'
import { useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { TextField } from '../../../shared/ui/index.ts'
import { ConflictNotice } from '../parts/conflict-notice.tsx'
import { Form } from '../parts/form.tsx'
import { ActButton } from '../parts/read-only.tsx'
import { RestoredNotice } from '../parts/restored-notice.tsx'
import type { SaveSettings } from './save-settings.ts'
import { useEdited } from './use-edited.ts'

interface Props {
  /** Identifies its unsaved value. */
  readonly name: string
  readonly label: string
  readonly hint: string
  /** Writes a number that is hard to read, such as one of many bytes; shown with the hint. */
  readonly readable?: (value: number) => string
  readonly unit: string
  readonly value: number
  /** The minimum and the maximum. */
  readonly bounds: readonly [number, number]
  readonly version: number
  readonly busy: boolean
  readonly save: SaveSettings
  readonly patch: (value: number) => SettingsPatch
}

/** An integer setting, saved by a button beside it. */
export function NumberSetting(props: Props) {
  const { name, label, hint, readable, unit, value, bounds, version, busy, save, patch } = props
  const [least, most] = bounds
  const { t } = useText()
  const edited = useEdited(name, String(value))
  const [isRefused, setRefused] = useState(false)
  const read = Number(edited.value) > 0 ? readable?.(Number(edited.value)) : undefined
  const submit = async () => {
    const number = edited.value.trim() === '' ? Number.NaN : Number(edited.value)
    const isAllowed = Number.isInteger(number) && number >= least && number <= most
    setRefused(!isAllowed)
    if (!isAllowed) return
    if (await save({ ...patch(number), version })) edited.drop()
  }
  return (
    <Form onSubmit={() => void submit()} className="rounded-card border border-line p-4 md:px-5">
      {edited.isOverrun && !busy && (
        <ConflictNotice
          current={{ [label]: value }}
          mine={{ [label]: edited.value }}
          onKeep={() => void submit()}
          onTake={edited.drop}
        />
      )}
      {edited.isRestored && <RestoredNotice onDiscard={edited.drop} />}
      <div className="flex items-start gap-3">
        <TextField
          label={label}
          hint={read === undefined ? hint : `${read} · ${hint}`}
          error={isRefused ? t('settings.bounds', { least, most }) : undefined}
          value={edited.value}
          onChange={({ target }) => edited.change(target.value)}
          inputMode="numeric"
          className="min-w-0 flex-1"
          end={<span className="pe-3 text-sm text-ink-3">{unit}</span>}
        />
        <ActButton
          type="submit"
          look="primary"
          busy={busy}
          disabled={!edited.isEdited || edited.isOverrun}
          className="mt-6.5 h-11"
        >
          {t('settings.save')}
        </ActButton>
      </div>
    </Form>
  )
}
