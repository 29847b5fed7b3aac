import { useQuery } from '@tanstack/react-query'
import { UserX } from 'lucide-react'
import * as z from 'zod/mini'
import { authConfigQuery, endpoints, request } from '../../shared/api/index.ts'
import {
  confirmed,
  emailField,
  FormAlert,
  limitsOf,
  newPasswordField,
  usernameField,
  useServerForm,
} from '../../shared/forms/index.ts'
import { T, useText } from '../../shared/i18n/index.ts'
import { signIn } from '../../shared/session/index.ts'
import { Button, PasswordField, PasswordStrength, TextField } from '../../shared/ui/index.ts'
import { AuthCard, AuthLink } from './auth-card.tsx'
import { setPending, usePending } from './pending.ts'
import { SignOn } from './sign-on/sign-on.tsx'
import { useAuthConfig } from './use-auth-config.ts'
import { VerifyStep } from './verify-step.tsx'

async function register({
  username,
  email,
  password,
}: Record<'username' | 'email' | 'password', string>): Promise<void> {
  const answer = await request(endpoints.register, { body: { username, email, password } })
  if (answer.emailVerificationRequired) setPending({ ...answer.user, sentAt: Date.now() })
  else signIn(answer.token, answer.user)
}

/** `/register`: the form, then the verification step. Closed when an administrator has disabled registration. */
export function RegisterPage() {
  const { t } = useText()
  const pending = usePending((state) => state.pending)
  const { config, held } = useAuthConfig()
  if (pending) return <VerifyStep pending={pending} />
  if (held) return null
  const closed = config?.registration.local === false
  return (
    <AuthCard
      tall
      title={t('auth.register.title')}
      lead={t('auth.register.lead')}
      foot={
        <span>
          <T id="auth.register.toLogin" components={{ link: <AuthLink to="/login" /> }} />
        </span>
      }
    >
      {closed ? <Closed /> : <RegisterForm />}
      {config?.oauth.enabled && config.registration.oauth && <SignOn label={config.oauth.label ?? ''} />}
    </AuthCard>
  )
}

function Closed() {
  const { t } = useText()
  return (
    <p role="status" className="flex gap-3 rounded-card border border-line bg-raised px-4 py-3.5 text-ink-2">
      <UserX className="mt-0.5 size-5 shrink-0 text-warn" />
      {t('auth.register.disabled')}
    </p>
  )
}

function RegisterForm() {
  const { t } = useText()
  const { data: config } = useQuery(authConfigQuery)
  const limits = limitsOf(config)
  const { form, onSubmit, alert, busy, field } = useServerForm({
    schema: z
      .object({
        username: usernameField(t, limits),
        email: emailField(t),
        password: newPasswordField(t, limits),
        confirm: z.string(),
      })
      .check(confirmed(t, 'password')),
    defaultValues: { username: '', email: '', password: '', confirm: '' },
    byCode: { username_taken: 'username', email_taken: 'email' },
    fallback: 'auth.register.failed',
    unavailable: 'auth.register.unavailable',
    submit: register,
  })
  const [username, email, password] = form.watch(['username', 'email', 'password'])
  return (
    <form noValidate onSubmit={onSubmit} aria-label={t('auth.register.title')}>
      <FormAlert message={alert} />
      <TextField
        {...field('username')}
        label={t('auth.register.username')}
        hint={t('auth.register.usernameHint')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        className="mb-4"
      />
      <TextField
        {...field('email')}
        type="email"
        label={t('auth.register.email')}
        autoComplete="email"
        className="mb-4"
      />
      <PasswordField
        {...field('password')}
        label={t('auth.password')}
        hint={t('auth.register.passwordHint', { count: limits.passwordMin })}
        autoComplete="new-password"
        className="mb-3"
      />
      <PasswordStrength password={password} context={[username, email]} className="mb-2" />
      <PasswordField
        {...field('confirm')}
        label={t('auth.register.confirm')}
        autoComplete="new-password"
        className="mb-5"
      />
      <Button type="submit" look="primary" size="large" busy={busy}>
        {t('auth.register.submit')}
      </Button>
    </form>
  )
}
