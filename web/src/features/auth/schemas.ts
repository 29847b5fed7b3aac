import * as z from 'zod/mini'
import { type AccountLimits, emailField, newPasswordField, usernameField } from '../../shared/forms/index.ts'
import type { Translate } from '../../shared/i18n/index.ts'

/** Schema of the form for another e-mail address. */
export const emailSchema = (t: Translate) => z.object({ newEmail: emailField(t) })

/** Schema of the registration form. */
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

/** Schema of the form that links single sign-on to an account. */
export const linkSchema = (t: Translate) =>
  z.object({ password: z.string().check(z.minLength(1, t('auth.login.passwordMissing'))) })

/** Schema of the form that requests a password reset link. */
export const resetRequestSchema = (t: Translate) => z.object({ email: emailField(t) })

/** Schema of the form for a new password. */
export const newPasswordSchema = (t: Translate, limits: AccountLimits) =>
  z
    .object({ newPassword: newPasswordField(t, limits), confirm: z.string() })
    .check(
      z.refine((form) => form.newPassword === form.confirm, { message: t('auth.invalid.confirm'), path: ['confirm'] }),
    )
