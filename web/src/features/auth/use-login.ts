import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { endpoints, request } from '../../shared/api/index.ts'
import { placeErrors } from '../../shared/forms/index.ts'
import { type Translate, useText, type Wording } from '../../shared/i18n/index.ts'
import { signIn } from '../../shared/session/index.ts'
import { notify } from '../../shared/ui/index.ts'
import { setPending } from './pending.ts'

const fields = ['identifier', 'password'] as const
type Field = (typeof fields)[number]
type Values = Record<Field, string>
type Errors = Partial<Record<Field | 'root', Wording>>

const readValues = (form: HTMLFormElement): Values => {
  const data = new FormData(form)
  return { identifier: String(data.get('identifier') ?? '').trim(), password: String(data.get('password') ?? '') }
}

async function login(values: Values): Promise<void> {
  const answer = await request(endpoints.login, { body: values })
  if (answer.emailVerificationRequired) setPending({ ...answer.user, sentAt: Date.now() })
  else signIn(answer.token, answer.user)
}

const placeRefusal = (error: unknown, t: Translate) =>
  placeErrors<Field>(error, {
    fields,
    byCode: { unauthenticated: 'password' },
    fallback: t('auth.login.failed'),
    check: t('auth.invalid.form'),
    unreachable: t('shared.unreachable'),
  })

/**
 * The sign-in form's behaviour. Without the form library, because this is the first page for many users, and two
 * required fields do not justify a download that is a sixth larger.
 */
export function useLogin() {
  const { t } = useText()
  const form = useRef<HTMLFormElement>(null)
  const [wordings, setErrors] = useState<Errors>({})
  const show = (found: Errors) => {
    setErrors(found)
    const first = fields.find((field) => found[field] !== undefined)
    if (first) (form.current?.elements.namedItem(first) as HTMLElement | null)?.focus()
  }
  const call = useMutation({
    mutationFn: login,
    onMutate: () => notify.dismiss('form'),
    onError: (error) => {
      const placed = placeRefusal(error, t)
      notify.error((now) => placeRefusal(error, now)[0]?.message ?? now('auth.login.failed'), { id: 'form' })
      const wordingAt = (place: Field | 'root') => (now: Translate) =>
        placeRefusal(error, now).find(({ field }) => field === place)?.message ?? ''
      show(Object.fromEntries(placed.map(({ field }) => [field, wordingAt(field)])))
    },
  })
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (call.isPending) return
    const values = readValues(event.currentTarget)
    const found: Errors = {
      ...(values.identifier === '' ? { identifier: (now) => now('auth.login.identifierMissing') } : {}),
      ...(values.password === '' ? { password: (now) => now('auth.login.passwordMissing') } : {}),
    }
    if (values.identifier === '' && values.password === '') found.root = (now) => now('auth.invalid.form')
    show(found)
    if (Object.keys(found).length === 0) call.mutate(values)
  }
  /** A field being corrected is no longer marked as wrong. */
  const onChange = (event: FormEvent<HTMLFormElement>) => {
    const { name } = event.target as HTMLInputElement
    if (name in wordings) setErrors(({ [name as Field]: _, root: __, ...rest }) => rest)
  }
  const errors = { identifier: wordings.identifier?.(t), password: wordings.password?.(t) }
  return { form, onSubmit, onChange, errors, alert: wordings.root?.(t), busy: call.isPending }
}
