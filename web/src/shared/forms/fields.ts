import type { AuthConfig } from '@parley/contracts'
import { accountLimits } from '@parley/contracts/constants'
import * as z from 'zod/mini'
import type { Translate } from '../i18n/index.ts'

/** Bounds of names and passwords. */
export type AccountLimits = AuthConfig['limits']

/** The bounds of names and passwords: the server's, or the product's own until it has answered. */
export const limitsOf = (config: AuthConfig | undefined): AccountLimits => config?.limits ?? accountLimits

// The same test as browsers apply to e-mail inputs, with a dot demanded in the domain.
const emailPattern = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/i

/** An e-mail address, spaces around it aside. */
export const emailField = (t: Translate) =>
  z.string().check(z.trim(), z.maxLength(254), z.regex(emailPattern, t('auth.invalid.email')))

/** A username to be chosen. */
export const usernameField = (t: Translate, limits: AccountLimits) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(limits.usernameMin, t('auth.invalid.username', { count: limits.usernameMin })),
      z.maxLength(limits.usernameMax, t('auth.invalid.usernameLong', { count: limits.usernameMax })),
      z.regex(/^[A-Za-z0-9_-]*$/, t('auth.invalid.usernameCharacters')),
    )

/** A password to be chosen. */
export const newPasswordField = (t: Translate, limits: AccountLimits) =>
  z
    .string()
    .check(
      z.minLength(limits.passwordMin, t('auth.invalid.password', { count: limits.passwordMin })),
      z.maxLength(limits.passwordMax, t('auth.invalid.passwordLong', { count: limits.passwordMax })),
    )
