import type { DataExport, User } from '@parley/contracts'
import type { Page } from 'playwright-core'
import { intercept } from '../intercept.ts'
import { answerWith, type Scene } from './scene.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

async function open(page: Page, tab: '' | '/appearance' | '/preferences' = ''): Promise<void> {
  await page.goto(`/profile${tab}`)
  await heading(page, { '': 'Profile', '/appearance': 'Appearance', '/preferences': 'Preferences' }[tab]).waitFor()
  if (tab === '') await page.getByText('This device').waitFor()
}

/** Changes fields of the user in the server's responses. */
async function asUser(page: Page, changes: Partial<User>): Promise<void> {
  await intercept(page, '/user/profile', async ({ fetch }) => {
    const { status, json } = await fetch()
    return { status, json: { user: { ...(json as { user: User }).user, ...changes } } }
  })
}

const time = '2026-01-15T10:00:00.000Z'
const someExport: DataExport = {
  id: 'e1',
  state: 'collecting',
  requestedAt: time,
  expiresAt: null,
  progress: { done: 2, total: 4 },
}
const far = '2099-01-15T10:00:00.000Z'
const mozilla = (system: string, rest: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${rest}`
const devices = [
  {
    current: true,
    network: '203.0.113.7',
    userAgent: mozilla('Macintosh; Intel Mac OS X 10_15_7', 'Version/18.1 Safari/605.1.15'),
  },
  {
    current: false,
    network: '198.51.100.23',
    userAgent: mozilla('Linux; Android 15; Pixel 9', 'Chrome/141.0.0.0 Mobile Safari/537.36'),
  },
  { current: false, network: '2001:db8:41:7::/64', userAgent: 'a client of my own' },
].map((device, index) => ({ ...device, id: `s${index}`, createdAt: time, lastUsedAt: time }))

/** The settings of a signed-in user. */
export const profile: Scene[] = [
  { name: 'profile', who: 'regular', show: (page) => open(page) },
  {
    name: 'profile-mistakes',
    who: 'regular',
    continues: 'profile',
    show: async (page) => {
      await page.getByLabel('Username').fill('a b')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByLabel('New password', { exact: true }).fill('short')
      await page.getByLabel('Confirm password').fill('shorter')
      await page.getByRole('button', { name: 'Change password' }).click()
      await page.getByText('Enter your password').waitFor()
    },
  },
  {
    name: 'profile-other-address',
    who: 'regular',
    continues: 'profile-mistakes',
    show: async (page) => {
      await page.getByRole('button', { name: 'Change', exact: true }).click()
      await page.getByLabel('New email').waitFor()
    },
  },
  {
    name: 'profile-delete',
    who: 'regular',
    continues: 'profile-other-address',
    show: async (page) => {
      await page.getByRole('button', { name: 'Delete account…' }).click()
      await page.getByRole('button', { name: 'Delete permanently' }).click()
      await page.getByText('That’s not your username').waitFor()
    },
  },
  {
    name: 'profile-address',
    who: 'regular',
    show: async (page) => {
      await asUser(page, { emailVerified: true, emailProblem: 'refused' })
      await open(page)
      await page.getByText('Emails to this address bounce.').waitFor()
    },
  },
  {
    name: 'profile-code',
    who: 'regular',
    show: async (page) => {
      await answerWith(page, '/auth/resend-verification', 200, { message: 'A code is on its way.' })
      await open(page)
      await page.getByRole('button', { name: 'Verify', exact: true }).click()
      await page.getByLabel('Verification code').waitFor()
    },
  },
  {
    name: 'profile-devices',
    who: 'regular',
    show: async (page) => {
      await answerWith(page, '/user/sessions', 200, { sessions: devices })
      await open(page)
      await heading(page, 'Sessions and devices').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'profile-end-device',
    who: 'regular',
    continues: 'profile-devices',
    show: async (page) => {
      await page.getByRole('button', { name: 'Sign out Chrome on Android' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'profile-single-sign-on',
    who: 'regular',
    show: async (page) => {
      await asUser(page, { authType: 'oauth', hasPassword: false, emailVerified: true })
      await open(page)
      await page.getByText('This address comes from single sign-on.').waitFor()
    },
  },
  {
    name: 'profile-single-sign-on-address',
    who: 'regular',
    show: async (page) => {
      await asUser(page, { authType: 'oauth', hasPassword: false, emailVerified: true, emailProblem: 'refused' })
      await open(page)
      await page.getByText('You can’t change it here').waitFor()
    },
  },
  {
    name: 'profile-devices-lost',
    who: 'regular',
    show: async (page) => {
      await intercept(page, '/user/sessions', () => ({ status: 500 }))
      await page.goto('/profile')
      await page.getByText('Your devices couldn’t be loaded.').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'profile-export',
    who: 'regular',
    show: async (page) => {
      await answerWith(page, '/user/data-export', 200, { dataExport: someExport, nextAllowedAt: far })
      await open(page)
      await page.getByText('2 of 4 parts').scrollIntoViewIfNeeded()
    },
  },
  ...(['failed', 'expired'] as const).map((state) => ({
    name: `profile-export-${state}`,
    who: 'regular' as const,
    show: async (page: Page) => {
      const over = { ...someExport, state, expiresAt: state === 'expired' ? time : null }
      await answerWith(page, '/user/data-export', 200, { dataExport: over, nextAllowedAt: null })
      await open(page)
      await page
        .getByText(state === 'failed' ? 'couldn’t be made' : 'has been deleted', { exact: false })
        .scrollIntoViewIfNeeded()
    },
  })),
  {
    name: 'profile-export-refused',
    who: 'regular',
    show: async (page) => {
      const refusal = { error: 'Please verify your email address first', code: 'email_unverified', requestId: 'r' }
      await intercept(page, '/user/data-export', ({ method }) =>
        method === 'POST' ? { status: 403, json: refusal } : { json: { dataExport: null, nextAllowedAt: null } },
      )
      await open(page)
      await page.getByRole('button', { name: 'Request my data' }).click()
      await page.getByText('Please verify your email').waitFor()
    },
  },
  {
    name: 'profile-export-lost',
    who: 'regular',
    show: async (page) => {
      await intercept(page, '/user/data-export', () => ({ status: 500 }))
      await open(page)
      await page.getByText('last request couldn’t be loaded').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'profile-lost',
    who: 'regular',
    show: async (page) => {
      await answerWith(page, '/user/profile', 400, {})
      await page.goto('/profile')
      await page.getByText('Your profile couldn’t be loaded.').waitFor()
    },
  },
  { name: 'appearance', who: 'regular', show: (page) => open(page, '/appearance') },
  {
    name: 'appearance-colors',
    who: 'regular',
    continues: 'appearance',
    show: async (page) => {
      // A choice made in one picture must not be stored on the account for the next.
      await intercept(page, '/user/profile', ({ method }) =>
        method === 'PATCH' ? { status: 400, json: {} } : 'continue',
      )
      await page.getByRole('button', { name: 'Plum' }).click()
      await page.getByLabel('Primary as a hex code').fill('#3b1d8f')
      await page.getByText('Adjusted in the dark theme').first().waitFor()
      await page.getByRole('status').getByText('Not saved').waitFor()
    },
  },
  { name: 'preferences', who: 'regular', show: (page) => open(page, '/preferences') },
  {
    name: 'preferences-refused',
    who: 'regular',
    continues: 'preferences',
    show: async (page) => {
      await intercept(page, '/user/profile', ({ method }) => (method === 'PATCH' ? { status: 500 } : 'continue'))
      await page.getByRole('switch', { name: 'Show AI thinking' }).click()
      await page.getByRole('status').getByText('Not saved').waitFor()
    },
  },
  {
    name: 'preferences-models-lost',
    who: 'regular',
    show: async (page) => {
      await intercept(page, '/chat/models/hierarchy', () => ({ status: 500 }))
      await open(page, '/preferences')
      await page.getByRole('main').getByText('Failed to load available models').waitFor()
    },
  },
]

/** The privacy page, and the pages after an account was deleted. */
export const privacy: Scene[] = [
  {
    name: 'privacy',
    show: async (page) => {
      await page.goto('/privacy')
      await page.getByText('Models here come from').waitFor()
    },
  },
  {
    name: 'privacy-request',
    who: 'regular',
    show: async (page) => {
      const ready = { ...someExport, state: 'ready', expiresAt: far, progress: { done: 4, total: 4 } }
      await answerWith(page, '/user/data-export', 200, { dataExport: ready, nextAllowedAt: far })
      await page.goto('/privacy')
      await page.getByText('The link has been sent to your email address.').waitFor()
    },
  },
  {
    name: 'data-export',
    show: async (page) => {
      await page.goto('/data-export#id=e1&token=some-token')
      await page.getByRole('button', { name: 'Download my data' }).waitFor()
    },
  },
  {
    name: 'data-export-gone',
    show: async (page) => {
      await page.goto('/data-export')
      await heading(page, 'This link no longer works').waitFor()
    },
  },
  {
    name: 'goodbye',
    show: async (page) => {
      await page.goto('/goodbye')
      await heading(page, 'Your account has been deleted').waitFor()
    },
  },
]
