import type { User } from '@parley/contracts'
import { maxDisplayName } from '@parley/contracts/constants'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { authConfigQuery, endpoints, profileQuery, request } from '../../../shared/api/index.ts'
import { FormAlert, limitsOf, usernameField, useServerForm } from '../../../shared/forms/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { dateFormat } from '../../../shared/intl.ts'
import { setUser } from '../../../shared/session/index.ts'
import { Box, Button, notify, TextField } from '../../../shared/ui/index.ts'
import { Section } from '../page.tsx'
import { UnsavedGuard } from '../unsaved-guard.tsx'

/** Username, display name and further details. */
export function PersonalSection({ user }: { user: User }) {
  const { t, locale } = useText()
  return (
    <Section title={t('profile.personal.title')}>
      <Box className="">
        <NamesForm user={user} />
        <dl className="grid grid-cols-2 gap-4 border-t border-line px-4 py-3.5 text-sm md:px-5">
          <div>
            <dt className="text-ink-3">{t('profile.personal.since')}</dt>
            <dd className="mt-0.5">{dateFormat(locale, { dateStyle: 'long' }).format(new Date(user.createdAt))}</dd>
          </div>
          <div>
            <dt className="text-ink-3">{t('profile.personal.signIn')}</dt>
            <dd className="mt-0.5">{t(`profile.personal.signIn.${signInOf(user)}`)}</dd>
          </div>
        </dl>
      </Box>
    </Section>
  )
}

const signInOf = ({ authType, hasPassword }: User): 'local' | 'oauth' | 'both' =>
  authType === 'local' ? 'local' : hasPassword ? 'both' : 'oauth'

function NamesForm({ user }: { user: User }) {
  const { t } = useText()
  const client = useQueryClient()
  const { data: config } = useQuery(authConfigQuery)
  const limits = limitsOf(config)
  const kept = { username: user.username, displayName: user.displayName ?? '' }
  const { form, onSubmit, alert, busy, field } = useServerForm({
    schema: z.object({
      username: usernameField(t, limits),
      displayName: z
        .string()
        .check(z.trim(), z.maxLength(maxDisplayName, t('profile.invalid.displayName', { count: maxDisplayName }))),
    }),
    defaultValues: kept,
    values: kept,
    resetOptions: { keepDirtyValues: true },
    byCode: { username_taken: 'username' },
    fallback: 'profile.failed',
    submit: async (values) => {
      const changed = {
        ...(values.username !== user.username && { username: values.username }),
        displayName: values.displayName === '' ? null : values.displayName,
      }
      const answer = await request(endpoints.updateProfile, { body: changed })
      setUser(answer.user)
      client.setQueryData(profileQuery.queryKey, answer.user)
      form.reset({ username: answer.user.username, displayName: answer.user.displayName ?? '' })
      notify.success((now) => now('profile.personal.saved'), { id: 'profile' })
    },
  })
  const { isDirty } = form.formState
  return (
    <form noValidate onSubmit={onSubmit} aria-label={t('profile.personal.title')} className="p-4 md:p-5">
      <UnsavedGuard unsaved={isDirty} />
      <FormAlert message={alert} />
      <div className="mb-4 grid grid-cols-1 gap-4 md:grid-cols-2">
        <TextField
          {...field('username')}
          label={t('auth.register.username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField
          {...field('displayName')}
          label={t('profile.personal.displayName')}
          placeholder={t('profile.personal.displayNameNone')}
          autoComplete="name"
        />
      </div>
      <Button type="submit" busy={busy} disabled={!isDirty}>
        {t('profile.personal.save')}
      </Button>
    </form>
  )
}
