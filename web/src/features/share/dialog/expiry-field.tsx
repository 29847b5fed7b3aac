import { useId } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Select, TextField } from '../../../shared/ui/index.ts'
import { dayOf, type Expiry } from './options.ts'

const spans = [1, 7, 30] as const

interface Props {
  readonly expiry: Expiry
  readonly error: string | undefined
  readonly onChange: (expiry: Expiry) => void
}

/** The expiry of a link. */
export function ExpiryField({ expiry, error, onChange }: Props) {
  const { t } = useText()
  const id = useId()
  const choose = (value: string) => {
    if (value === 'never') onChange({ kind: 'never' })
    else if (value === 'date') onChange({ kind: 'date', day: '' })
    else onChange({ kind: 'days', days: Number(value) })
  }
  return (
    <div className="flex flex-wrap items-start gap-3">
      <div className="min-w-48 flex-1">
        <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
          {t('sharing.expiry')}
        </label>
        <Select
          id={id}
          value={expiry.kind === 'days' ? String(expiry.days) : expiry.kind}
          onChange={(event) => choose(event.target.value)}
          className="h-11 w-full border-field-line"
        >
          <option value="never">{t('sharing.expiry.never')}</option>
          {spans.map((days) => (
            <option key={days} value={days}>
              {t('sharing.expiry.days', { count: days })}
            </option>
          ))}
          <option value="date">{t('sharing.expiry.date')}</option>
        </Select>
      </div>
      {expiry.kind === 'date' && (
        <TextField
          className="min-w-48 flex-1"
          label={t('sharing.expiry.day')}
          type="date"
          min={dayOf(new Date())}
          value={expiry.day}
          error={error}
          onChange={(event) => onChange({ kind: 'date', day: event.target.value })}
        />
      )}
    </div>
  )
}
