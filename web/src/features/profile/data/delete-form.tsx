import type { User } from '@parley/contracts'
import { useState } from 'react'
import * as z from 'zod/mini'
import { endpoints, isApiError, request } from '../../../shared/api/index.ts'
import { FormAlert, useServerForm } from '../../../shared/forms/index.ts'
import { type Translate, useText } from '../../../shared/i18n/index.ts'
import { Button, PasswordField, TextField } from '../../../shared/ui/index.ts'

interface Props {
  readonly user: User
  readonly onSignInAgain: () => void
  readonly onDeleted: () => void
  readonly onCancel: () => void
}

const schemaOf = (t: Translate, user: User) =>
  z.object({
    password: z.string().check(z.minLength(user.hasPassword ? 1 : 0, t('auth.login.passwordMissing'))),
    username: z.string().check(
      z.trim(),
      z.refine((typed) => typed.toLowerCase() === user.username.toLowerCase(), t('profile.delete.mismatch')),
    ),
  })

/** Says what is erased, and erases it after authentication and confirmation. */
export function DeleteForm({ user, onSignInAgain, onDeleted, onCancel }: Props) {
  const { t } = useText()
  const [tooLate, setTooLate] = useState(false)
  const { onSubmit, alert, busy, field } = useServerForm({
    schema: schemaOf(t, user),
    defaultValues: { password: '', username: '' },
    byCode: user.hasPassword ? { forbidden: 'password' } : {},
    fallback: 'profile.delete.failed',
    submit: async ({ password }) => {
      const body = user.hasPassword ? { password } : {}
      await request(endpoints.deleteAccount, { body }).catch((error: unknown) => {
        setTooLate(!user.hasPassword && isApiError(error) && error.status === 403)
        throw error
      })
      onDeleted()
    },
  })
  return (
    <form noValidate onSubmit={onSubmit}>
      <p className="text-ink-2">{t('profile.delete.erased')}</p>
      <ul className="mt-2 mb-4 list-disc ps-5 text-ink-2">
        {(['account', 'chats', 'memories', 'credits', 'sessions'] as const).map((part) => (
          <li key={part}>{t(`profile.delete.part.${part}`)}</li>
        ))}
      </ul>
      <FormAlert message={alert} />
      {tooLate && (
        <Button className="mb-4" onClick={onSignInAgain}>
          {t('profile.delete.signInAgain')}
        </Button>
      )}
      {user.hasPassword ? (
        <PasswordField
          {...field('password')}
          label={t('auth.password')}
          autoComplete="current-password"
          className="mb-4"
        />
      ) : (
        <p className="mb-4 text-sm text-ink-3">{t('profile.delete.recent')}</p>
      )}
      <TextField
        {...field('username')}
        label={t('profile.delete.confirm', { username: user.username })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{t('shared.cancel')}</Button>
        <Button type="submit" look="danger" busy={busy}>
          {t('profile.delete.submit')}
        </Button>
      </div>
    </form>
  )
}
