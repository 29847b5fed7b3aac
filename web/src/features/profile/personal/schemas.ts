import { maxDisplayName } from '@parley/contracts/constants'
import * as z from 'zod/mini'
import { type AccountLimits, emailField, newPasswordField, usernameField } from '../../../shared/forms/index.ts'
import type { Translate } from '../../../shared/i18n/index.ts'

/** Schema of the form for names. */
export const namesSchema = (t: Translate, limits: AccountLimits) =>
  z.object({
    username: usernameField(t, limits),
    displayName: z
      .string()
      .check(z.trim(), z.maxLength(maxDisplayName, t('profile.invalid.displayName', { count: maxDisplayName }))),
  })

/** Schema of the form for another address. Only accounts with a password have it. */
export const emailSchema = (t: Translate) =>
  z.object({ newEmail: emailField(t), password: z.string().check(z.minLength(1, t('auth.login.passwordMissing'))) })

/** Schema of the form for the code. */
export const codeSchema = (t: Translate) =>
  z.object({ code: z.string().check(z.trim(), z.regex(/^\d{6}$/, t('auth.verify.incomplete'))) })

/** Schema of the form for another password. */
export const passwordSchema = (t: Translate, limits: AccountLimits) =>
  z
    .object({
      currentPassword: z.string().check(z.minLength(1, t('auth.login.passwordMissing'))),
      newPassword: newPasswordField(t, limits),
      confirm: z.string(),
    })
    .check(
      z.refine((form) => form.newPassword === form.confirm, { message: t('auth.invalid.confirm'), path: ['confirm'] }),
    )
