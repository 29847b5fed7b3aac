import { useQuery } from '@tanstack/react-query'
import { authConfigQuery } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'
import { AuthCard, AuthLink } from '../auth-card.tsx'
import { useSignOn } from './sign-on.tsx'

/** Why single sign-on failed, with a retry and other ways to sign in. */
export function CallbackFailure({ text }: { text: string }) {
  const { t } = useText()
  const { data: config } = useQuery(authConfigQuery)
  const { start, busy, alert } = useSignOn()
  return (
    <AuthCard
      title={t('auth.callback.title')}
      lead={alert ?? text}
      said
      foot={
        <>
          <AuthLink to="/login">{t('auth.reset.back')}</AuthLink>
          {config?.guest.enabled && <AuthLink to="/">{t('auth.guest')}</AuthLink>}
        </>
      }
    >
      <Button look="primary" size="large" busy={busy} onClick={() => void start()}>
        {t('shared.retry')}
      </Button>
    </AuthCard>
  )
}
