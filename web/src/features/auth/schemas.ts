import type { AuthConfig } from '@parley/contracts'
import { accountLimits } from '@parley/contracts/constants'
import * as z from 'zod/mini'
import type { Translate } from '../../shared/i18n/index.ts'

/** The bounds of names and passwords: the server's, or the product's own until it has answered. */
export const limitsOf = (config: AuthConfig | undefined): AuthConfig['limits'] => config?.limits ?? accountLimits

// The same test as browsers apply to e-mail inputs, with a dot demanded in the domain.
const emailPattern = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/i

const email = (t: Translate) =>
  z.string().check(z.trim(), z.maxLength(254), z.regex(emailPattern, t('auth.invalid.email')))

/** What the form for another e-mail address must hold. */
export const emailSchema = (t: Translate) => z.object({ newEmail: email(t) })

/** What the registration form must hold. */
export const registerSchema = (t: Translate, limits: AuthConfig['limits']) =>
  z
    .object({
      username: z
        .string()
        .check(
          z.trim(),
          z.minLength(limits.usernameMin, t('auth.invalid.username', { count: limits.usernameMin })),
          z.maxLength(limits.usernameMax, t('auth.invalid.usernameLong', { count: limits.usernameMax })),
          z.regex(/^[A-Za-z0-9_-]*$/, t('auth.invalid.usernameCharacters')),
        ),
      email: email(t),
      password: z
        .string()
        .check(
          z.minLength(limits.passwordMin, t('auth.invalid.password', { count: limits.passwordMin })),
          z.maxLength(limits.passwordMax, t('auth.invalid.passwordLong', { count: limits.passwordMax })),
        ),
      confirm: z.string(),
    })
    .check(
      z.refine((form) => form.password === form.confirm, { message: t('auth.invalid.confirm'), path: ['confirm'] }),
    )
