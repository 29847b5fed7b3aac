import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { PasswordField } from '../../../shared/ui/password-field.tsx'

interface Props {
  /** The one that was entered. */
  readonly wrong: boolean
  readonly busy: boolean
  readonly onOpen: (password: string) => void
}

/** Asks for the password of a link. */
export function PasswordForm({ wrong, busy, onOpen }: Props) {
  const { t } = useText()
  const [password, setPassword] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && password !== '') onOpen(password)
  }
  return (
    <form onSubmit={submit} className="mx-auto max-w-card pt-16">
      <h1 className="text-2xl font-semibold tracking-tight">{t('share.password.title')}</h1>
      <p className="mt-1.5 mb-6 text-ink-2">{t('share.password.lead')}</p>
      <PasswordField
        label={t('share.password.label')}
        autoComplete="off"
        ref={field}
        required
        maxLength={128}
        value={password}
        error={wrong ? t('share.password.wrong') : undefined}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" look="primary" size="large" className="mt-4" busy={busy} onClick={submit}>
        {t('share.password.open')}
      </Button>
    </form>
  )
}
