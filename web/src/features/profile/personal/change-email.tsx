import type { User } from '@parley/contracts'
import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { endpoints, profileQuery, request } from '../../../shared/api/index.ts'
import { emailField, FormAlert, passwordField, useServerForm } from '../../../shared/forms/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button, notify, PasswordField, TextField } from '../../../shared/ui/index.ts'

/** Changes the account's address; a code is mailed to the new one. */
export function ChangeEmail({ user, onDone, onCancel }: { user: User; onDone: () => void; onCancel: () => void }) {
  const { t } = useText()
  const client = useQueryClient()
  const { onSubmit, alert, busy, field } = useServerForm({
    schema: z.object({ newEmail: emailField(t), password: passwordField(t) }),
    defaultValues: { newEmail: '', password: '' },
    byCode: { email_taken: 'newEmail', forbidden: 'password' },
    fallback: 'auth.email.failed',
    submit: async ({ newEmail, password }) => {
      const body = { username: user.username, newEmail: newEmail.toLowerCase(), password }
      await request(endpoints.updateEmail, { body })
      notify.success((now) => now('auth.verify.resent'), { id: 'profile' })
      await client.invalidateQueries({ queryKey: profileQuery.queryKey })
      onDone()
    },
  })
  return (
    <form noValidate onSubmit={onSubmit} aria-label={t('auth.email.title')}>
      <FormAlert message={alert} />
      <div className="mb-4 grid grid-cols-1 gap-4 md:grid-cols-2">
        <TextField
          {...field('newEmail')}
          type="email"
          label={t('auth.email.new')}
          hint={t('profile.email.hint')}
          autoComplete="email"
          autoFocus
        />
        <PasswordField {...field('password')} label={t('profile.email.password')} autoComplete="current-password" />
      </div>
      <div className="flex gap-2">
        <Button type="submit" look="primary" busy={busy}>
          {t('auth.email.submit')}
        </Button>
        <Button onClick={onCancel}>{t('shared.cancel')}</Button>
      </div>
    </form>
  )
}
