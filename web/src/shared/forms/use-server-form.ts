import { useState } from 'react'
import type { FieldErrors, FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { useText } from '../i18n/index.ts'
import { notify } from '../ui/index.ts'
import { placeErrors } from './server-errors.ts'

interface Options<Form extends FieldValues> {
  readonly form: UseFormReturn<Form>
  readonly fields: readonly Path<Form>[]
  readonly byCode: Readonly<Record<string, Path<Form>>>
  readonly fallback: string
  /** As in `placeErrors`. */
  readonly unavailable?: string
  readonly submit: (values: Form) => Promise<void>
}

/**
 * Submits a form: client and server errors are shown at their fields, the first of which gets the focus; those about the whole form
 * are returned as `alert`. A refusal is also shown as a toast.
 */
export function useServerForm<Form extends FieldValues>({
  form,
  fields,
  byCode,
  fallback,
  unavailable,
  submit,
}: Options<Form>) {
  const { t } = useText()
  const [alert, setAlert] = useState<string>()
  const refuse = (error: unknown) => {
    const placed = placeErrors(error, { fields, byCode, fallback, unavailable, unreachable: t('shared.unreachable') })
    notify.error(placed[0]?.message ?? fallback, { id: 'form' })
    let focused = false
    for (const { field, message } of placed) {
      if (field === 'root') setAlert(message)
      else form.setError(field, { type: 'server', message }, { shouldFocus: !focused })
      focused ||= field !== 'root'
    }
  }
  const onSubmit = form.handleSubmit(
    async (values) => {
      setAlert(undefined)
      await submit(values as unknown as Form).catch(refuse)
    },
    (errors: FieldErrors<Form>) => setAlert(Object.keys(errors).length > 1 ? t('auth.invalid.form') : undefined),
  )
  return { onSubmit, alert, busy: form.formState.isSubmitting }
}
