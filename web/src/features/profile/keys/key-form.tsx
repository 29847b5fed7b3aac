import { useRef } from 'react'
import * as z from 'zod/mini'
import { FormAlert, useServerForm } from '../../../shared/forms/index.ts'
import { type MessageId, type Translate, useText } from '../../../shared/i18n/index.ts'
import { Button, TextField } from '../../../shared/ui/index.ts'
import { endOfDay, localDate } from './key-dates.ts'

/** Maximum characters of a label. */
const maxLabel = 100

/** The input for a key; `expiresAt` is a day such as `2030-01-31`, empty for none. */
export interface KeyValues {
  readonly label: string
  readonly expiresAt: string
}

/** @param isIncomplete whether the date field lacks a part, such as the year: its value is then empty, as for no expiry */
const schemaOf = (t: Translate, before: KeyValues, isIncomplete: () => boolean) =>
  z.object({
    label: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, t('keys.invalid.label')),
        z.maxLength(maxLabel, t('keys.invalid.labelLong', { count: maxLabel })),
      ),
    expiresAt: z.string().check(
      z.refine(() => !isIncomplete(), t('keys.invalid.expiryIncomplete')),
      z.refine(
        // A past expiry may stay while the label changes.
        (date) => date === '' || date === before.expiresAt || Date.parse(endOfDay(date)) > Date.now(),
        t('keys.invalid.expiry'),
      ),
    ),
  })

interface Props {
  readonly before?: KeyValues
  readonly submitLabel: string
  /** The text if the server sends none with a refusal. */
  readonly fallback: MessageId
  /** Rejects with the server's refusal, which is shown. */
  readonly submit: (values: KeyValues) => Promise<void>
  readonly onCancel: () => void
}

const empty: KeyValues = { label: '', expiresAt: '' }

export function KeyForm({ before = empty, submitLabel, fallback, submit, onCancel }: Props) {
  const { t } = useText()
  const date = useRef<HTMLInputElement>(null)
  const { onSubmit, alert, busy, field } = useServerForm({
    schema: schemaOf(t, before, () => date.current?.validity.badInput === true),
    defaultValues: { ...before },
    fallback,
    submit,
  })
  const { ref: registerDate, ...expiry } = field('expiresAt')
  return (
    <form noValidate onSubmit={onSubmit}>
      <FormAlert message={alert} />
      <TextField
        {...field('label')}
        label={t('keys.form.label')}
        hint={t('keys.form.labelHint')}
        autoComplete="off"
        maxLength={maxLabel}
        className="mb-4"
      />
      <TextField
        {...expiry}
        ref={(input) => {
          registerDate(input)
          date.current = input
        }}
        type="date"
        min={localDate(new Date())}
        label={t('keys.form.expiry')}
        hint={t('keys.form.expiryHint')}
      />
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{t('shared.cancel')}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
