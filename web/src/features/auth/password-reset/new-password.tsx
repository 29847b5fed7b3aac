import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import * as z from 'zod/mini'
import { authConfigQuery, endpoints, isApiError, request } from '../../../shared/api/index.ts'
import { confirmed, FormAlert, limitsOf, newPasswordField, useServerForm } from '../../../shared/forms/index.ts'
import { T, useText } from '../../../shared/i18n/index.ts'
import { Button, PasswordField, PasswordStrength } from '../../../shared/ui/index.ts'
import { AuthCard, AuthLink } from '../auth-card.tsx'
import type { ResetLink } from './reset-link.ts'

/** A refusal that is not about the new password is about the link. */
const isInvalidLink = (error: unknown): boolean =>
  isApiError(error) && error.code === 'validation_failed' && !error.details.some(({ path }) => path === 'newPassword')

/** Sets a new password with a mailed link. */
export function NewPassword({ link, onInvalid }: { link: ResetLink; onInvalid: () => void }) {
  const { t } = useText()
  const { onSubmit, alert, busy, field, form, limits } = useNewPassword(link, onInvalid)
  return (
    <AuthCard
      title={t('auth.newPassword.title')}
      lead={
        <T
          id="auth.newPassword.lead"
          values={{ email: link.email }}
          components={{ b: <b className="font-medium wrap-anywhere text-ink" /> }}
        />
      }
      foot={<AuthLink to="/login">{t('auth.reset.back')}</AuthLink>}
    >
      <form noValidate onSubmit={onSubmit} aria-label={t('auth.newPassword.title')}>
        <FormAlert message={alert} />
        {/* Tells password managers the account. */}
        <input type="text" hidden readOnly autoComplete="username" value={link.email} />
        <PasswordField
          {...field('newPassword')}
          label={t('auth.newPassword.field')}
          hint={t('auth.register.passwordHint', { count: limits.passwordMin })}
          autoComplete="new-password"
          autoFocus
          className="mb-3"
        />
        <PasswordStrength password={form.watch('newPassword')} context={[link.email]} className="mb-2" />
        <PasswordField
          {...field('confirm')}
          label={t('auth.register.confirm')}
          autoComplete="new-password"
          className="mb-5"
        />
        <Button type="submit" look="primary" size="large" busy={busy}>
          {t('auth.newPassword.submit')}
        </Button>
      </form>
    </AuthCard>
  )
}

function useNewPassword(link: ResetLink, onInvalid: () => void) {
  const { t } = useText()
  const navigate = useNavigate()
  const { data: config } = useQuery(authConfigQuery)
  const limits = limitsOf(config)
  const form = useServerForm({
    schema: z
      .object({ newPassword: newPasswordField(t, limits), confirm: z.string() })
      .check(confirmed(t, 'newPassword')),
    defaultValues: { newPassword: '', confirm: '' },
    fallback: 'auth.newPassword.failed',
    submit: async ({ newPassword }) => {
      try {
        await request(endpoints.confirmPasswordReset, { body: { ...link, newPassword } })
      } catch (error) {
        if (!isInvalidLink(error)) throw error
        return onInvalid()
      }
      navigate('/login', { replace: true, state: { passwordSet: true } })
    },
  })
  return { ...form, limits }
}
