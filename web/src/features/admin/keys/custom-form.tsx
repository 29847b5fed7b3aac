import type { AdminApiKey, KeyLimits } from '@parley/contracts'
import { useState } from 'react'
import { type MessageId, useText } from '../../../shared/i18n/index.ts'
import { TextField } from '../../../shared/ui/index.ts'
import { DialogForm } from '../parts/form.tsx'

const leastRequests = 10
const mostRequests = 1_000_000
const mostMinutes = 1_440

interface Props {
  readonly apiKey: AdminApiKey
  readonly busy: boolean
  readonly onSave: (limits: KeyLimits) => void
}

interface Faults {
  readonly requests?: MessageId
  readonly minutes?: MessageId
}

/** Custom limits of one key, instead of its tier's. */
export function CustomForm({ apiKey, busy, onSave }: Props) {
  const { t } = useText()
  const [errors, setErrors] = useState<Faults>({})
  const submit = (form: FormData) => {
    const requests = Number(form.get('requests'))
    const windowMinutes = Number(form.get('windowMinutes'))
    const isEnough = Number.isInteger(requests) && requests >= leastRequests
    const isLong = Number.isInteger(windowMinutes) && windowMinutes >= 1
    const faults: Faults = {
      ...(!isEnough && { requests: 'tiers.custom.requestsFault' }),
      ...(isEnough && requests > mostRequests && { requests: 'tiers.custom.requestsMost' }),
      ...(!isLong && { minutes: 'tiers.custom.minutesFault' }),
      ...(isLong && windowMinutes > mostMinutes && { minutes: 'tiers.custom.minutesMost' }),
    }
    setErrors(faults)
    if (Object.keys(faults).length === 0) onSave({ requests, windowMinutes })
  }
  return (
    <DialogForm submit={t('tiers.custom.save')} busy={busy} onSubmit={submit}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          name="requests"
          label={t('tiers.custom.requests')}
          error={errors.requests && t(errors.requests)}
          defaultValue={apiKey.customLimits?.requests ?? apiKey.limits.requests}
          inputMode="numeric"
          autoFocus
        />
        <TextField
          name="windowMinutes"
          label={t('tiers.custom.minutes')}
          hint={t('tiers.custom.minutesHint')}
          error={errors.minutes && t(errors.minutes)}
          defaultValue={apiKey.customLimits?.windowMinutes ?? apiKey.limits.windowMinutes}
          inputMode="numeric"
        />
      </div>
    </DialogForm>
  )
}
