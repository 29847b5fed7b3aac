import { lazyScreen } from '../../shared/lazy/index.ts'

export const LoginPage = lazyScreen(async () => (await import('./login-page.tsx')).LoginPage)

export const RegisterPage = lazyScreen(async () => (await import('./register-page.tsx')).RegisterPage)

export const PasswordResetPage = lazyScreen(
  async () => (await import('./password-reset/password-reset-page.tsx')).PasswordResetPage,
)

/** `/auth/callback`, the return address of single sign-on; loaded on demand. */
export const CallbackPage = lazyScreen(async () => (await import('./sign-on/callback-page.tsx')).CallbackPage)
