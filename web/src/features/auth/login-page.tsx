import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { authConfigQuery } from '../../shared/api/index.ts'
import { T, useText } from '../../shared/i18n/index.ts'
import { Button, LoadingOverlay, PasswordField, TextField } from '../../shared/ui/index.ts'
import { AuthCard, AuthLink, FormAlert } from './auth-card.tsx'
import { usePending } from './pending.ts'
import { useLogin } from './use-login.ts'

const VerifyStep = lazy(async () => ({ default: (await import('./verify-step.tsx')).VerifyStep }))

/** `/login`: by username or e-mail; a user whose address is not verified goes on to the verification step. */
export function LoginPage() {
  const pending = usePending((state) => state.pending)
  if (!pending) return <LoginForm />
  return (
    <Suspense fallback={<LoadingOverlay />}>
      <VerifyStep pending={pending} />
    </Suspense>
  )
}

function LoginForm() {
  const { t } = useText()
  const { data: config } = useQuery(authConfigQuery)
  const { form, onSubmit, onChange, errors, alert, busy } = useLogin()
  const guests = config?.guest.enabled === true
  return (
    <AuthCard
      title={t('auth.login.title')}
      lead={t(guests ? 'auth.login.leadGuest' : 'auth.login.lead')}
      foot={
        <>
          <span>
            <T id="auth.login.toRegister" components={{ link: <AuthLink to="/register" /> }} />
          </span>
          {guests && <AuthLink to="/">{t('auth.guest')}</AuthLink>}
        </>
      }
    >
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
          error={errors.password}
          autoComplete="current-password"
          className="mb-5"
        />
        <Button type="submit" look="primary" size="large" busy={busy}>
          {t('auth.login.submit')}
        </Button>
      </form>
    </AuthCard>
  )
}
