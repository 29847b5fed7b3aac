import { lazy } from 'react'

/** `/login`, loaded on demand. */
export const LoginPage = lazy(async () => ({ default: (await import('./login-page.tsx')).LoginPage }))

/** `/register`, loaded on demand. */
export const RegisterPage = lazy(async () => ({ default: (await import('./register-page.tsx')).RegisterPage }))
