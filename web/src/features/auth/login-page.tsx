import { CircleCheck } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { FormAlert } from '../../shared/forms/index.ts'
import { type MessageId, T, useText } from '../../shared/i18n/index.ts'
import { lazyScreen } from '../../shared/lazy/index.ts'
import { hasDraft, hasGuestThread } from '../../shared/session/index.ts'
import { Button, LoadingOverlay, PasswordField, TextField } from '../../shared/ui/index.ts'
import { AuthCard, AuthLink, ForgotLink } from './auth-card.tsx'
import { usePending } from './pending.ts'
import { SignOn } from './sign-on/sign-on.tsx'
import { useAuthConfig } from './use-auth-config.ts'
import { useLogin } from './use-login.ts'

const VerifyStep = lazyScreen(async () => (await import('./verify-step.tsx')).VerifyStep)

/** `/login`: by username or e-mail; a user with an unverified address continues with the verification step. */
export function LoginPage() {
  const pending = usePending((state) => state.pending)
  if (!pending) return <LoginForm />
  return (
    <Suspense fallback={<LoadingOverlay />}>
      <VerifyStep pending={pending} />
    </Suspense>
  )
}

/** What of this browser the account takes over. */
function leadOf(): MessageId {
  if (hasGuestThread()) return 'auth.login.leadChat'
  return hasDraft() ? 'auth.login.leadDraft' : 'auth.login.lead'
}

function LoginForm() {
  const { t } = useText()
  const { config, held } = useAuthConfig()
  const { form, onSubmit, onChange, errors, alert, busy } = useLogin()
  const guests = config?.guest.enabled === true
  const closed = config?.registration.local === false
  const [lead] = useState(leadOf)
  if (held) return null
  return (
    <AuthCard
      title={t('auth.login.title')}
      lead={t(lead)}
      foot={
        <>
          {!closed && (
            <span>
              <T id="auth.login.toRegister" components={{ link: <AuthLink to="/register" /> }} />
            </span>
          )}
          {guests && <AuthLink to="/">{t('auth.guest')}</AuthLink>}
        </>
      }
    >
      <PasswordSet />
      <form ref={form} noValidate onSubmit={onSubmit} onChange={onChange} aria-label={t('auth.login.title')}>
        <FormAlert message={alert} />
        <TextField
          name="identifier"
          label={t('auth.login.identifier')}
          error={errors.identifier}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          className="mb-4"
        />
        <PasswordField
          name="password"
          label={t('auth.password')}
          aside={<ForgotLink />}
          error={errors.password}
          autoComplete="current-password"
          className="mb-5"
        />
        <Button type="submit" look="primary" size="large" busy={busy}>
          {t('auth.login.submit')}
        </Button>
      </form>
      {config?.oauth.enabled && <SignOn label={config.oauth.label ?? ''} />}
    </AuthCard>
  )
}

/** Confirms a password reset to users who come from there. */
function PasswordSet() {
  const { t } = useText()
  const { state } = useLocation() as { state: { passwordSet?: boolean } | null }
  if (state?.passwordSet !== true) return null
  return (
    <p role="status" className="mb-5 flex gap-2 rounded-card bg-brand-weak px-3 py-2.5 text-sm">
      <CircleCheck className="mt-0.5 size-4 shrink-0 text-brand" />
      {t('auth.login.passwordSet')}
    </p>
  )
}
