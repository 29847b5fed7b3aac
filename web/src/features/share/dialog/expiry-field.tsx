import { useText } from '../../../shared/i18n/index.ts'
import { SelectField, TextField } from '../../../shared/ui/index.ts'
import { dayOf, type Expiry } from './options.ts'

interface Props {
  readonly expiry: Expiry
  readonly error: string | undefined
  readonly onChange: (expiry: Expiry) => void
}

export function ExpiryField({ expiry, error, onChange }: Props) {
  const { t } = useText()
  const choose = (value: string) => {
    if (value === 'never') onChange({ kind: 'never' })
    else if (value === 'date') onChange({ kind: 'date', day: '' })
    else onChange({ kind: 'days', days: Number(value) })
  }
  return (
    <div className="flex flex-wrap items-start gap-3">
      <SelectField
        className="min-w-48 flex-1"
        label={t('sharing.expiry')}
        options={[
          { name: 'never', text: t('sharing.expiry.never') },
          ...[1, 7, 30].map((days) => ({ name: String(days), text: t('sharing.expiry.days', { count: days }) })),
          { name: 'date', text: t('sharing.expiry.date') },
        ]}
        value={expiry.kind === 'days' ? String(expiry.days) : expiry.kind}
        onChange={choose}
      />
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
