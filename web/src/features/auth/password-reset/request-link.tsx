import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { endpoints, isApiError, messageOf, request } from '../../../shared/api/index.ts'
import { emailField, FormAlert, useServerForm } from '../../../shared/forms/index.ts'
import { T, useText } from '../../../shared/i18n/index.ts'
import { sentAtOf, useSecondsLeft } from '../../../shared/resend/index.ts'
import { Button, notify, TextField } from '../../../shared/ui/index.ts'
import { AuthCard, AuthLink, LinkButton } from '../auth-card.tsx'

const askFor = (email: string) => request(endpoints.requestPasswordReset, { body: { email } })

/** Requests a link for the address, initially `email`. The confirmation does not reveal whether the address has an account. */
export function RequestLink({ email }: { email: string }) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [typed, setTyped] = useState(email)
  if (sentTo !== null) return <LinkSent email={sentTo} onOther={() => setSentTo(null)} />
  return (
    <RequestForm
      email={typed}
      onSent={(address) => {
        setTyped(address)
        setSentTo(address)
      }}
    />
  )
}

function RequestForm({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const { t } = useText()
  const { onSubmit, alert, busy, field } = useServerForm({
    schema: z.object({ email: emailField(t) }),
    defaultValues: { email },
    fallback: 'auth.reset.failed',
    submit: async (values) => {
      const address = values.email.toLowerCase()
      await askFor(address)
      onSent(address)
    },
  })
  return (
    <AuthCard
      title={t('auth.reset.title')}
      lead={t('auth.reset.lead')}
      foot={<AuthLink to="/login">{t('auth.reset.back')}</AuthLink>}
    >
      <form noValidate onSubmit={onSubmit} aria-label={t('auth.reset.title')}>
        <FormAlert message={alert} />
        <TextField
          {...field('email')}
          type="email"
          label={t('auth.register.email')}
          autoComplete="email"
          autoFocus
          className="mb-5"
        />
        <Button type="submit" look="primary" size="large" busy={busy}>
          {t('auth.reset.submit')}
        </Button>
      </form>
    </AuthCard>
  )
}

function LinkSent({ email, onOther }: { email: string; onOther: () => void }) {
  const { t } = useText()
  const [sentAt, setSentAt] = useState(() => Date.now())
  const left = useSecondsLeft(sentAt)
  const again = useMutation({
    mutationFn: () => askFor(email),
    onSuccess: () => {
      setSentAt(Date.now())
      notify.success((now) => now('auth.reset.resent'), { id: 'form' })
    },
    onError: (error) => {
      const wait = isApiError(error) ? error.retryAfter : null
      if (wait !== null) setSentAt(sentAtOf(wait, Date.now()))
      notify.error((now) => messageOf(error, now('auth.reset.failed')), { id: 'form' })
    },
  })
  return (
    <AuthCard
      said
      title={t('auth.reset.sentTitle')}
      lead={
        <T
          id="auth.reset.sent"
          values={{ email }}
          components={{ b: <b className="font-medium wrap-anywhere text-ink" /> }}
        />
      }
      foot={
        <>
          <LinkButton disabled={left > 0 || again.isPending} onClick={() => again.mutate()}>
            {left > 0 ? t('auth.reset.resendIn', { seconds: left }) : t('auth.reset.resend')}
          </LinkButton>
          <LinkButton onClick={onOther}>{t('auth.reset.otherEmail')}</LinkButton>
          <AuthLink to="/login">{t('auth.reset.back')}</AuthLink>
        </>
      }
    >
      <p className="rounded-card border border-line bg-raised px-4 py-3 text-sm text-ink-2">
        {t('auth.reset.sentHint')}
      </p>
    </AuthCard>
  )
}
