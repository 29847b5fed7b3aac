import type { AuthConfig } from '@parley/contracts'
import { accountLimits } from '@parley/contracts/constants'
import * as z from 'zod/mini'
import type { Translate } from '../i18n/index.ts'

export type AccountLimits = AuthConfig['limits']

/** The server's limits, or the product's defaults until it has answered. */
export const limitsOf = (config: AuthConfig | undefined): AccountLimits => config?.limits ?? accountLimits

// The same pattern as browsers use for e-mail inputs, but with a dot required in the domain.
const emailPattern = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/i

/** An e-mail address; surrounding spaces are ignored. */
export const emailField = (t: Translate) =>
  z.string().check(z.trim(), z.maxLength(254, t('auth.invalid.email')), z.regex(emailPattern, t('auth.invalid.email')))

export const usernameField = (t: Translate, limits: AccountLimits) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(limits.usernameMin, t('auth.invalid.username', { count: limits.usernameMin })),
      z.maxLength(limits.usernameMax, t('auth.invalid.usernameLong', { count: limits.usernameMax })),
      z.regex(/^[A-Za-z0-9_-]*$/, t('auth.invalid.usernameCharacters')),
    )

export const newPasswordField = (t: Translate, limits: AccountLimits) =>
  z
    .string()
    .check(
      z.minLength(limits.passwordMin, t('auth.invalid.password', { count: limits.passwordMin })),
      z.maxLength(limits.passwordMax, t('auth.invalid.passwordLong', { count: limits.passwordMax })),
    )

/** The password of an account, which the server compares. */
export const passwordField = (t: Translate) => z.string().check(z.minLength(1, t('auth.login.passwordMissing')))

/** Whether a new password and its confirmation agree. @param name of its field */
export const confirmed = <Name extends string>(t: Translate, name: Name) =>
  z.refine<Readonly<Record<Name | 'confirm', string>>>((form) => form[name] === form.confirm, {
    message: t('auth.invalid.confirm'),
    path: ['confirm'],
  })
