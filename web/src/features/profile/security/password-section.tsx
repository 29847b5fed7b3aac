import type { User } from '@parley/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { authConfigQuery, endpoints, request, sessionsQuery } from '../../../shared/api/index.ts'
import {
  confirmed,
  FormAlert,
  limitsOf,
  newPasswordField,
  passwordField,
  useServerForm,
} from '../../../shared/forms/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Box, Button, notify, PasswordField, PasswordStrength } from '../../../shared/ui/index.ts'
import { Section } from '../page.tsx'

/** Changes the password, which signs every other device out. */
export function PasswordSection({ user }: { user: User }) {
  const { t } = useText()
  return (
    <Section
      title={t('profile.password.title')}
      lead={t(user.hasPassword ? 'profile.password.lead' : 'profile.password.none')}
    >
      {user.hasPassword && (
        <Box>
          <PasswordForm user={user} />
        </Box>
      )}
    </Section>
  )
}

const empty = { currentPassword: '', newPassword: '', confirm: '' }

function PasswordForm({ user }: { user: User }) {
  const { t } = useText()
  const client = useQueryClient()
  const { data: config } = useQuery(authConfigQuery)
  const limits = limitsOf(config)
  const { form, onSubmit, alert, busy, field } = useServerForm({
    schema: z
      .object({
        currentPassword: passwordField(t),
        newPassword: newPasswordField(t, limits),
        confirm: z.string(),
      })
      .check(confirmed(t, 'newPassword')),
    defaultValues: empty,
    byCode: { forbidden: 'currentPassword' },
    fallback: 'profile.password.failed',
    submit: async ({ currentPassword, newPassword }) => {
      const body = { currentPassword, newPassword }
      await request(endpoints.changePassword, { body })
      form.reset(empty)
      notify.success((now) => now('profile.password.changed'), { id: 'profile' })
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
  })
  return (
    <form noValidate onSubmit={onSubmit} aria-label={t('profile.password.title')}>
      {/* Tells password managers the account. */}
      <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
      <FormAlert message={alert} />
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
        <PasswordField
          {...field('currentPassword')}
          label={t('profile.password.current')}
          autoComplete="current-password"
        />
        <div>
          <PasswordField
            {...field('newPassword')}
            label={t('profile.password.new')}
            hint={t('auth.register.passwordHint', { count: limits.passwordMin })}
            autoComplete="new-password"
          />
          <PasswordStrength
            password={form.watch('newPassword')}
            context={[user.username, user.displayName ?? '', user.email]}
            className="mt-2"
          />
          <PasswordField
            {...field('confirm')}
            label={t('auth.register.confirm')}
            autoComplete="new-password"
            className="mt-2"
          />
        </div>
      </div>
      <Button type="submit" busy={busy} className="mt-3">
        {t('profile.password.submit')}
      </Button>
    </form>
  )
}
