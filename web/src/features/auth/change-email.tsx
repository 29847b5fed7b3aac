import * as z from 'zod/mini'
import { endpoints, request } from '../../shared/api/index.ts'
import { emailField, FormAlert, useServerForm } from '../../shared/forms/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button, notify, TextField } from '../../shared/ui/index.ts'
import { AuthCard, LinkButton } from './auth-card.tsx'
import { type Pending, setPending } from './pending.ts'

/** Sends the code to an address other than the registered one. */
export function ChangeEmail({ pending, onDone }: { pending: Pending; onDone: () => void }) {
  const { t } = useText()
  const { onSubmit, alert, busy, field } = useServerForm({
    schema: z.object({ newEmail: emailField(t) }),
    defaultValues: { newEmail: pending.email ?? '' },
    byCode: { email_taken: 'newEmail' },
    fallback: 'auth.email.failed',
    submit: async (values) => {
      const newEmail = values.newEmail.toLowerCase()
      await request(endpoints.updateEmail, { body: { username: pending.username, newEmail } })
      setPending({ ...pending, email: newEmail, sentAt: Date.now() })
      notify.success((now) => now('auth.verify.resent'), { id: 'form' })
      onDone()
    },
  })
  return (
    <AuthCard
      title={t('auth.email.title')}
      lead={t('auth.email.lead')}
      foot={<LinkButton onClick={onDone}>{t('shared.cancel')}</LinkButton>}
    >
      <form noValidate onSubmit={onSubmit}>
        <FormAlert message={alert} />
        <TextField
          {...field('newEmail')}
          type="email"
          label={t('auth.email.new')}
          autoComplete="email"
          autoFocus
          className="mb-5"
        />
        <Button type="submit" look="primary" size="large" busy={busy}>
          {t('auth.email.submit')}
        </Button>
      </form>
    </AuthCard>
  )
}
