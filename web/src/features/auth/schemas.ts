import * as z from 'zod/mini'
import { type AccountLimits, emailField, newPasswordField, usernameField } from '../../shared/forms/index.ts'
import type { Translate } from '../../shared/i18n/index.ts'

/** What the form for another e-mail address must hold. */
export const emailSchema = (t: Translate) => z.object({ newEmail: emailField(t) })

/** What the registration form must hold. */
export const registerSchema = (t: Translate, limits: AccountLimits) =>
  z
    .object({
      username: usernameField(t, limits),
      email: emailField(t),
      password: newPasswordField(t, limits),
      confirm: z.string(),
    })
    .check(
      z.refine((form) => form.password === form.confirm, { message: t('auth.invalid.confirm'), path: ['confirm'] }),
    )

/** What the form that links single sign-on to an account must hold. */
export const linkSchema = (t: Translate) =>
  z.object({ password: z.string().check(z.minLength(1, t('auth.login.passwordMissing'))) })

/** What the form that asks for a link for a new password must hold. */
export const resetRequestSchema = (t: Translate) => z.object({ email: emailField(t) })

/** What the form for a new password must hold. */
export const newPasswordSchema = (t: Translate, limits: AccountLimits) =>
  z
    .object({ newPassword: newPasswordField(t, limits), confirm: z.string() })
    .check(
      z.refine((form) => form.newPassword === form.confirm, { message: t('auth.invalid.confirm'), path: ['confirm'] }),
    )
