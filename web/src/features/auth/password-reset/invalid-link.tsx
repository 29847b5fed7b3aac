import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'
import { AuthCard, AuthLink } from '../auth-card.tsx'

/** The link has expired, was used, or was never valid. */
export function InvalidLink({ onAgain }: { onAgain: () => void }) {
  const { t } = useText()
  return (
    <AuthCard
      title={t('auth.reset.invalidTitle')}
      lead={t('auth.reset.invalid')}
      said
      foot={<AuthLink to="/login">{t('auth.reset.back')}</AuthLink>}
    >
      <Button look="primary" size="large" onClick={onAgain}>
        {t('auth.reset.again')}
      </Button>
    </AuthCard>
  )
}
