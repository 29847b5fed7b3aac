import { useEffect, useRef, useState } from 'react'
import type { FieldErrors, FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { type MessageId, type Translate, useText } from '../i18n/index.ts'
import { notify } from '../ui/index.ts'
import { type FieldError, placeErrors } from './server-errors.ts'

interface Options<Form extends FieldValues> {
  readonly form: UseFormReturn<Form>
  readonly fields: readonly Path<Form>[]
  readonly byCode: Readonly<Record<string, Path<Form>>>
  readonly fallback: MessageId
  /** As in `placeErrors`. */
  readonly unavailable?: MessageId
  readonly submit: (values: Form) => Promise<void>
}

/**
 * Submits a form: client and server errors are shown at their fields, the first of which gets the focus; those about the whole form
 * are returned as `alert`. A refusal is also shown as a toast. All of them follow a change of the language.
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
  const [problem, setProblem] = useState<{ readonly refusal: unknown } | 'fields' | null>(null)
  const place = (error: unknown, now: Translate = t) =>
    placeErrors(error, {
      ...{ fields, byCode, fallback: now(fallback), unavailable: unavailable && now(unavailable) },
      ...{ check: now('auth.invalid.form'), unreachable: now('shared.unreachable') },
    })
  const showAtFields = (placed: readonly FieldError<Path<Form>>[], focus: boolean) => {
    let shouldFocus = focus
    for (const { field, message } of placed) {
      if (field === 'root') continue
      form.setError(field, { type: 'server', message }, { shouldFocus })
      shouldFocus = false
    }
  }
  const refuse = (error: unknown) => {
    notify.error((now) => place(error, now)[0]?.message ?? now(fallback), { id: 'form' })
    setProblem({ refusal: error })
    showAtFields(place(error), true)
  }
  useOtherLanguage(() => {
    const wrong = Object.keys(form.formState.errors) as Path<Form>[]
    const refused = wrong.filter((field) => form.getFieldState(field).error?.type === 'server')
    void form.trigger(wrong.filter((field) => !refused.includes(field)))
    if (problem === null || problem === 'fields') return
    showAtFields(
      place(problem.refusal).filter(({ field }) => refused.some((one) => one === field)),
      false,
    )
  })
  const onSubmit = form.handleSubmit(
    async (values) => {
      setProblem(null)
      await submit(values as unknown as Form).catch(refuse)
    },
    (errors: FieldErrors<Form>) => setProblem(Object.keys(errors).length > 1 ? 'fields' : null),
  )
  return { onSubmit, alert: alertOf(), busy: form.formState.isSubmitting }

  function alertOf(): string | undefined {
    if (problem === null) return undefined
    if (problem === 'fields') return Object.keys(form.formState.errors).length > 0 ? t('auth.invalid.form') : undefined
    return place(problem.refusal).find(({ field }) => field === 'root')?.message
  }
}

/** Runs `renew` after the language has changed. */
function useOtherLanguage(renew: () => void): void {
  const { locale } = useText()
  const shown = useRef(locale)
  useEffect(() => {
    if (shown.current === locale) return
    shown.current = locale
    renew()
  })
}
