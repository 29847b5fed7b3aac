import { useNavigate } from 'react-router-dom'
import * as z from 'zod/mini'
import { endpoints, isApiError, messageOf, request } from '../../../shared/api/index.ts'
import { FormAlert, passwordField, useServerForm } from '../../../shared/forms/index.ts'
import { useText, type Wording } from '../../../shared/i18n/index.ts'
import { Button, PasswordField } from '../../../shared/ui/index.ts'
import { AuthCard, AuthLink, ForgotLink } from '../auth-card.tsx'
import { enter } from './enter.ts'

interface Props {
  readonly lead: string
  /** The pending link has expired; `words` say why. */
  readonly onOver: (words: Wording) => void
}

/** Links the identity from single sign-on to the account with the same e-mail, using that account's password. */
export function LinkForm({ lead, onOver }: Props) {
  const { t } = useText()
  const navigate = useNavigate()
  const { onSubmit, alert, busy, field } = useServerForm({
    schema: z.object({ password: passwordField(t) }),
    defaultValues: { password: '' },
    byCode: { unauthenticated: 'password' },
    fallback: 'auth.link.failed',
    submit: async (body) => {
      try {
        enter(await request(endpoints.linkOAuth, { body }), navigate)
      } catch (error) {
        if (!isApiError(error) || error.code !== 'validation_failed' || error.details.length > 0) throw error
        onOver((now) => messageOf(error, now('auth.link.failed')))
      }
    },
  })
  return (
    <AuthCard title={t('auth.link.title')} lead={lead} foot={<AuthLink to="/login">{t('auth.reset.back')}</AuthLink>}>
      <form noValidate onSubmit={onSubmit} aria-label={t('auth.link.title')}>
        <FormAlert message={alert} />
        <PasswordField
          {...field('password')}
          label={t('auth.password')}
          aside={<ForgotLink />}
          autoComplete="current-password"
          autoFocus
          className="mb-5"
        />
        <Button type="submit" look="primary" size="large" busy={busy}>
          {t('auth.link.submit')}
        </Button>
      </form>
    </AuthCard>
  )
}
