import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef, useState } from 'react'
import { type FieldErrors, type FieldValues, type Path, type UseFormProps, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { type MessageId, type Translate, useText } from '../i18n/index.ts'
import { notify } from '../ui/index.ts'
import { type FieldError, placeErrors } from './server-errors.ts'

interface Options<Form extends FieldValues>
  extends Pick<UseFormProps<Form>, 'defaultValues' | 'values' | 'resetOptions'> {
  /** With messages in the current language. */
  readonly schema: z.ZodMiniType<Form, Form>
  /** The field that a server code refers to. */
  readonly byCode?: Readonly<Record<string, Path<Form>>>
  readonly fallback: MessageId
  /** As in `placeErrors`. */
  readonly unavailable?: MessageId
  readonly submit: (values: Form) => Promise<void>
}

/**
 * Holds and submits a form: client and server errors are shown at their fields, the first of which gets the focus; those about the whole form
 * are returned as `alert`. A refusal is also shown as a toast. All of them follow a change of the language. `field` gives the props of a field.
 */
export function useServerForm<Form extends FieldValues>({
  schema,
  byCode = {},
  fallback,
  unavailable,
  submit,
  ...options
}: Options<Form>) {
  const { t } = useText()
  const form = useForm<Form>({ ...options, resolver: zodResolver(schema) })
  const fields = Object.keys(options.defaultValues ?? {}) as Path<Form>[]
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
      await submit(values).catch(refuse)
    },
    (errors: FieldErrors<Form>) => setProblem(Object.keys(errors).length > 1 ? 'fields' : null),
  )
  const field = (name: Path<Form>) => ({
    ...form.register(name),
    error: form.getFieldState(name, form.formState).error?.message,
  })
  return { form, onSubmit, alert: alertOf(), busy: form.formState.isSubmitting, field }

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
