import { lazy } from 'react'

/** `/login`, loaded on demand. */
export const LoginPage = lazy(async () => ({ default: (await import('./login-page.tsx')).LoginPage }))

/** `/register`, loaded on demand. */
export const RegisterPage = lazy(async () => ({ default: (await import('./register-page.tsx')).RegisterPage }))

/** `/password-reset`, loaded on demand. */
export const PasswordResetPage = lazy(async () => ({
  default: (await import('./password-reset/password-reset-page.tsx')).PasswordResetPage,
}))

/** `/auth/callback`, where single sign-on comes back to; loaded on demand. */
export const CallbackPage = lazy(async () => ({
  default: (await import('./sign-on/callback-page.tsx')).CallbackPage,
}))
