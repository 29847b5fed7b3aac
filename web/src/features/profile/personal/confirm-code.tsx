import type { User } from '@parley/contracts'
import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { endpoints, profileQuery, request } from '../../../shared/api/index.ts'
import { FormAlert, useServerForm } from '../../../shared/forms/index.ts'
import { T, useText } from '../../../shared/i18n/index.ts'
import type { Resend } from '../../../shared/resend/index.ts'
import { signIn } from '../../../shared/session/index.ts'
import { Button, notify, TextField } from '../../../shared/ui/index.ts'

interface Props {
  readonly user: User
  readonly mail: Resend
  readonly onDone: () => void
}

/** Confirms an address with the mailed code. */
export function ConfirmCode({ user, mail, onDone }: Props) {
  const { t } = useText()
  const client = useQueryClient()
  const { onSubmit, alert, busy, field } = useServerForm({
    schema: z.object({ code: z.string().check(z.trim(), z.regex(/^\d{6}$/, t('auth.verify.incomplete'))) }),
    defaultValues: { code: '' },
    byCode: { validation_failed: 'code' },
    fallback: 'auth.verify.failed',
    submit: async ({ code }) => {
      const answer = await request(endpoints.verifyEmail, { body: { username: user.username, code } })
      signIn(answer.token, answer.user)
      client.setQueryData(profileQuery.queryKey, answer.user)
      notify.success((now) => now('profile.email.confirmed'), { id: 'profile' })
      onDone()
    },
  })
  return (
    <form noValidate onSubmit={onSubmit} aria-label={t('auth.verify.title')}>
      <p className="mb-4 text-ink-2">
        <T
          id="auth.verify.lead"
          values={{ email: user.email }}
          components={{ b: <bdi className="font-medium text-ink" /> }}
        />
      </p>
      <FormAlert message={alert} />
      <TextField
        {...field('code')}
        label={t('auth.verify.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        autoFocus
        className="mb-4 max-w-60 tabular-nums"
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={busy}>
          {t('auth.verify.submit')}
        </Button>
        <Button onClick={onDone}>{t('profile.email.later')}</Button>
        <Button look="quiet" disabled={mail.left > 0} busy={mail.busy} onClick={mail.send} className="tabular-nums">
          {mail.label}
        </Button>
      </div>
    </form>
  )
}
