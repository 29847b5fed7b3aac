import type { Page } from 'playwright-core'
import { typeCode } from '../entrance.ts'
import { intercept } from '../intercept.ts'
import { composer, password } from '../people.ts'
import { answerWith, regular, type Scene, visitor } from './scene.ts'

async function register(page: Page, name: string): Promise<void> {
  await page.goto('/register')
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Email').fill(`${name}@parley.test`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
}

/** Server configuration with single sign-on, and with registration closed. */
const config = {
  registration: { local: true, oauth: true },
  guest: { enabled: true, messageLimit: 2 },
  oauth: { enabled: true, label: 'Continue with Acme SSO' },
  limits: { usernameMin: 3, usernameMax: 32, passwordMin: 8, passwordMax: 128 },
}
const signOnOffered = (page: Page) => answerWith(page, '/auth/config', 200, config)
const refused = (error: string, code: string) => ({ error, code, requestId: 'of a scene' })

async function comeBack(page: Page, query: string): Promise<void> {
  await signOnOffered(page)
  await page.goto(`/auth/callback?${query}`)
}

/** A guest's question as their tab stores it. */
const guestQuestion = {
  ...{
    key: 'q',
    role: 'user',
    content: 'What is a turnip?',
    reasoning: '',
    state: 'done',
    createdAt: 1_760_000_000_000,
  },
  ...{ model: null, attachments: [], toolCalls: [], modes: [], versions: [] },
}

/** Sign-in and registration. */
export const entrance: Scene[] = [
  visitor('login', async (page) => {
    await page.goto('/login')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  }),
  visitor('login-refused', { continues: 'login' }, async (page) => {
    await page.getByLabel('Username or email').fill('nobody')
    await page.getByLabel('Password', { exact: true }).fill('not my password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('main').getByText('Login failed').waitFor()
  }),
  visitor('login-unreachable', { continues: 'login-refused' }, async (page) => {
    await intercept(page, '/auth/login', () => 'abort')
    await page.getByLabel('Username or email').fill('mara-k')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('main').getByText('Can’t reach the server.').waitFor()
  }),
  visitor('login-password-set', { continues: 'login-unreachable' }, async (page) => {
    await page.evaluate("history.replaceState({ usr: { passwordSet: true }, key: 'k', idx: 0 }, '')")
    await page.reload()
    await page.getByText('Your password has been changed').waitFor()
  }),
  visitor('register', async (page) => {
    await page.goto('/register')
    await page.getByLabel('Confirm password').waitFor()
  }),
  visitor('register-mistakes', { continues: 'register' }, async (page) => {
    await page.getByLabel('Username').fill('a b')
    await page.getByLabel('Email').fill('nowhere')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('Please enter a valid email address').waitFor()
  }),
  ...(['weak', 'strong'] as const).map((strength) =>
    visitor(
      `register-${strength}`,
      { continues: strength === 'weak' ? 'register-mistakes' : 'register-weak' },
      async (page) => {
        await page.getByLabel('Username').fill('mara-k')
        await page.getByLabel('Email').fill('mara@parley.test')
        await page
          .getByLabel('Password', { exact: true })
          .fill(strength === 'weak' ? 'mara-k42' : 'turnip lantern gravel oboe')
        await page.getByText(strength === 'weak' ? 'Don’t use your name' : 'Strong.').waitFor()
        await page.getByText('Please correct the form errors').waitFor({ state: 'detached' })
      },
    ),
  ),
  visitor('verification', (page) => register(page, `unverified${Date.now()}`)),
  visitor('verification-wrong', { continues: 'verification' }, async (page) => {
    await answerWith(page, '/auth/verify-email', 400, refused('Invalid or expired code', 'invalid_code'))
    await typeCode(page, '123456')
    await page.getByRole('main').getByText('Invalid or expired code').waitFor()
  }),
  visitor('verification-address', { continues: 'verification-wrong' }, async (page) => {
    await page.getByRole('button', { name: 'Change email' }).click()
    await page.getByLabel('New email').waitFor()
  }),
  ...([503, 413] as const).map((status) =>
    regular(`guest-chat-${status === 503 ? 'not-carried' : 'refused'}`, async (page) => {
      // A page of the origin without scripts, to write to its storage.
      await page.goto('/icon.svg')
      await page.evaluate(
        `sessionStorage.setItem('private:guest-thread', ${JSON.stringify(JSON.stringify({ messages: [guestQuestion], generating: null }))})`,
      )
      await intercept(page, '/chat/import*', () => ({ status }))
      await page.goto('/')
      await page.getByText(status === 503 ? 'It’s kept in this tab.' : 'until you discard it').waitFor()
      // The screen appears only once the attempt has ended, without a placeholder.
      await composer(page).waitFor()
    }),
  ),
  visitor('verification-undelivered', async (page) => {
    await answerWith(page, '/auth/verification-mail', 200, { outcome: 'failed' })
    await register(page, `unverified${Date.now()}`)
    await page.getByText('couldn’t be delivered').waitFor()
  }),
  visitor('login-sign-on', async (page) => {
    await signOnOffered(page)
    await page.goto('/login')
    await page.getByRole('button', { name: 'Continue with Acme SSO' }).waitFor()
  }),
  visitor('login-sign-on-failed', { continues: 'login-sign-on' }, async (page) => {
    await intercept(page, '/auth/oauth/start?*', () => 'abort')
    await page.getByRole('button', { name: 'Continue with Acme SSO' }).click()
    await page.getByRole('main').getByText('Failed to initiate OAuth login').waitFor()
  }),
  visitor('register-closed', async (page) => {
    await answerWith(page, '/auth/config', 200, { ...config, registration: { local: false, oauth: true } })
    await page.goto('/register')
    await page.getByText('Registration is currently disabled').waitFor()
  }),
  visitor('reset', async (page) => {
    await page.goto('/password-reset')
    await page.getByLabel('Email').waitFor()
  }),
  visitor('reset-sent', { continues: 'reset' }, async (page) => {
    await page.getByLabel('Email').fill('a-rather-long-name-of-somebody@a-rather-long-domain.example')
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  }),
  visitor('reset-confirm', async (page) => {
    await page.goto('/password-reset?token=of-a-scene&email=mara%40parley.test')
    await page.getByLabel('New password', { exact: true }).fill('password1')
    await page.getByLabel('Confirm password').fill('password2')
    await page.getByRole('button', { name: 'Set new password' }).click()
    await page.getByText('Passwords must match').waitFor()
    await page.getByText('commonly used password').waitFor()
  }),
  visitor('reset-invalid', async (page) => {
    await page.goto('/password-reset?token=of-a-scene')
    await page.getByRole('heading', { name: 'Invalid Reset Link' }).waitFor()
  }),
  visitor('callback-waiting', async (page) => {
    await intercept(page, '/auth/oauth/callback', () => 'hang')
    await comeBack(page, 'code=c&state=s')
    await page.getByText('Authenticating…').waitFor()
  }),
  visitor('callback-failed', async (page) => {
    await comeBack(page, 'code=c&state=of-another-browser')
    await page.getByRole('main').getByText('possible CSRF attack detected').waitFor()
  }),
  visitor('callback-link', async (page) => {
    const taken = refused(
      'An account with this email address already exists. Enter its password to connect it to single sign-on.',
      'email_taken',
    )
    await answerWith(page, '/auth/oauth/callback', 409, taken)
    await answerWith(
      page,
      '/auth/oauth/link',
      401,
      refused('Login failed. Please check your credentials and try again.', 'unauthenticated'),
    )
    await comeBack(page, 'code=c&state=s')
    await page.getByLabel('Password', { exact: true }).fill('not my password')
    await page.getByRole('button', { name: 'Connect and sign in' }).click()
    await page.getByRole('main').getByText('Login failed').waitFor()
  }),
]
