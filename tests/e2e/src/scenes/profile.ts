import type { DataExport, User } from '@parley/contracts'
import type { Page } from 'playwright-core'
import { intercept } from '../intercept.ts'
import { answerWith, regular, type Scene, visitor } from './scene.ts'

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
  regular('profile', (page) => open(page)),
  regular('profile-mistakes', { continues: 'profile' }, async (page) => {
    await page.getByLabel('Username').fill('a b')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByLabel('New password', { exact: true }).fill('short')
    await page.getByLabel('Confirm password').fill('shorter')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Enter your password').waitFor()
  }),
  regular('profile-other-address', { continues: 'profile-mistakes' }, async (page) => {
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByLabel('New email').waitFor()
  }),
  regular('profile-delete', { continues: 'profile-other-address' }, async (page) => {
    await page.getByRole('button', { name: 'Delete account…' }).click()
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('That’s not your username').waitFor()
  }),
  regular('profile-address', async (page) => {
    await asUser(page, { emailVerified: true, emailProblem: 'refused' })
    await open(page)
    await page.getByText('Emails to this address bounce.').waitFor()
  }),
  regular('profile-code', async (page) => {
    await answerWith(page, '/auth/resend-verification', 200, { message: 'A code is on its way.' })
    await open(page)
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByLabel('Verification code').waitFor()
  }),
  regular('profile-devices', async (page) => {
    await answerWith(page, '/user/sessions', 200, { sessions: devices })
    await open(page)
    await heading(page, 'Sessions and devices').scrollIntoViewIfNeeded()
  }),
  regular('profile-end-device', { continues: 'profile-devices' }, async (page) => {
    await page.getByRole('button', { name: 'Sign out Chrome on Android' }).click()
    await page.getByRole('dialog').waitFor()
  }),
  regular('profile-single-sign-on', async (page) => {
    await asUser(page, { authType: 'oauth', hasPassword: false, emailVerified: true })
    await open(page)
    await page.getByText('This address comes from single sign-on.').waitFor()
  }),
  regular('profile-single-sign-on-address', async (page) => {
    await asUser(page, { authType: 'oauth', hasPassword: false, emailVerified: true, emailProblem: 'refused' })
    await open(page)
    await page.getByText('You can’t change it here').waitFor()
  }),
  regular('profile-devices-lost', async (page) => {
    await intercept(page, '/user/sessions', () => ({ status: 500 }))
    await page.goto('/profile')
    await page.getByText('Your devices couldn’t be loaded.').scrollIntoViewIfNeeded()
  }),
  regular('profile-export', async (page) => {
    await answerWith(page, '/user/data-export', 200, { dataExport: someExport, nextAllowedAt: far })
    await open(page)
    await page.getByText('2 of 4 parts').scrollIntoViewIfNeeded()
  }),
  ...(['failed', 'expired'] as const).map((state) =>
    regular(`profile-export-${state}`, async (page) => {
      const over = { ...someExport, state, expiresAt: state === 'expired' ? time : null }
      await answerWith(page, '/user/data-export', 200, { dataExport: over, nextAllowedAt: null })
      await open(page)
      await page
        .getByText(state === 'failed' ? 'couldn’t be made' : 'has been deleted', { exact: false })
        .scrollIntoViewIfNeeded()
    }),
  ),
  regular('profile-export-refused', async (page) => {
    const refusal = { error: 'Please verify your email address first', code: 'email_unverified', requestId: 'r' }
    await intercept(page, '/user/data-export', ({ method }) =>
      method === 'POST' ? { status: 403, json: refusal } : { json: { dataExport: null, nextAllowedAt: null } },
    )
    await open(page)
    await page.getByRole('button', { name: 'Request my data' }).click()
    await page.getByText('Please verify your email').waitFor()
  }),
  regular('profile-export-lost', async (page) => {
    await intercept(page, '/user/data-export', () => ({ status: 500 }))
    await open(page)
    await page.getByText('last request couldn’t be loaded').scrollIntoViewIfNeeded()
  }),
  regular('profile-lost', async (page) => {
    await answerWith(page, '/user/profile', 400, {})
    await page.goto('/profile')
    await page.getByText('Your profile couldn’t be loaded.').waitFor()
  }),
  regular('appearance', (page) => open(page, '/appearance')),
  regular('appearance-colors', { continues: 'appearance' }, async (page) => {
    // A choice made in one picture must not be stored on the account for the next.
    await intercept(page, '/user/profile', ({ method }) =>
      method === 'PATCH' ? { status: 400, json: {} } : 'continue',
    )
    await page.getByRole('button', { name: 'Plum' }).click()
    await page.getByLabel('Primary as a hex code').fill('#3b1d8f')
    await page.getByText('Adjusted in the dark theme').first().waitFor()
    await page.getByRole('status').getByText('Not saved').waitFor()
  }),
  regular('preferences', (page) => open(page, '/preferences')),
  regular('preferences-refused', { continues: 'preferences' }, async (page) => {
    await intercept(page, '/user/profile', ({ method }) => (method === 'PATCH' ? { status: 500 } : 'continue'))
    await page.getByRole('switch', { name: 'Show AI thinking' }).click()
    await page.getByRole('status').getByText('Not saved').waitFor()
  }),
  regular('preferences-models-lost', async (page) => {
    await intercept(page, '/chat/models/hierarchy', () => ({ status: 500 }))
    await open(page, '/preferences')
    await page.getByRole('main').getByText('Failed to load available models').waitFor()
  }),
]

/** The privacy page, and the pages after an account was deleted. */
export const privacy: Scene[] = [
  visitor('privacy', async (page) => {
    await page.goto('/privacy')
    await page.getByText('Models here come from').waitFor()
  }),
  regular('privacy-request', async (page) => {
    const ready = { ...someExport, state: 'ready', expiresAt: far, progress: { done: 4, total: 4 } }
    await answerWith(page, '/user/data-export', 200, { dataExport: ready, nextAllowedAt: far })
    await page.goto('/privacy')
    await page.getByText('The link has been sent to your email address.').waitFor()
  }),
  visitor('data-export', async (page) => {
    await page.goto('/data-export#id=e1&token=some-token')
    await page.getByRole('button', { name: 'Download my data' }).waitFor()
  }),
  visitor('data-export-gone', async (page) => {
    await page.goto('/data-export')
    await heading(page, 'This link no longer works').waitFor()
  }),
  visitor('goodbye', async (page) => {
    await page.goto('/goodbye')
    await heading(page, 'Your account has been deleted').waitFor()
  }),
]
