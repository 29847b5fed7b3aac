import { defaultPreferences, type User } from '@parley/contracts'
import type { Page } from 'playwright-core'
import {
  someActiveUsers,
  someAdminKeys,
  someEntries,
  someFirstTokens,
  someModels,
  somePlans,
  someReceipts,
  someSettings,
  someUsageByDay,
  someUsageByModel,
  someUsers,
  unavailable,
} from './administration-data.ts'
import { admin, answerWith, type Scene } from './scene.ts'

const stats = {
  ...{ totalUsers: 1_284, newUsers: 37, bannedUsers: 6, newlyBanned: 1 },
  ...{ activeToday: 311, oauthUsers: 382, localUsers: 902 },
}
const future = '2099-01-15T10:00:00.000Z'
const viewed: User = {
  _id: 'user-3',
  username: 'person-3',
  displayName: null,
  email: 'person-3@example.org',
  isAdmin: false,
  isSuperAdmin: false,
  isBanned: false,
  emailVerified: true,
  authType: 'local',
  hasPassword: true,
  emailProblem: null,
  preferences: defaultPreferences,
  createdAt: '2026-01-15T10:00:00.000Z',
  lastLoginAt: null,
}
const breakers = [{ provider: 'openai', model: 'openai/model-1', state: 'open', since: '2026-01-15T10:00:00.000Z' }]
const someCertificates = [
  { server: 'chat.example:443', startsAt: '2026-01-01T00:00:00.000Z', endsAt: '2026-04-01T00:00:00.000Z' },
]
const services = ['auth', 'chat', 'billing'].map((name) => ({ name, ready: true, failed: [], replicas: [] }))

/** Mocks the API calls of the administration. */
export async function mockAdministration(page: Page): Promise<void> {
  await answerWith(page, '/admin/stats', 200, { stats })
  await answerWith(page, '/admin/active-users', 200, someActiveUsers)
  await answerWith(page, '/admin/first-token?*', 200, someFirstTokens)
  await answerWith(page, '/admin/health', 200, { services, breakers, deadLetters: [], certificates: someCertificates })
  await answerWith(page, '/admin/usage?by=day*', 200, { items: someUsageByDay })
  await answerWith(page, '/admin/usage?by=model*', 200, { items: someUsageByModel })
  await answerWith(page, '/admin/users', 200, { users: someUsers, nextCursor: 'more' })
  await answerWith(page, '/admin/users?*', 200, { users: someUsers, nextCursor: 'more' })
  await answerWith(page, '/admin/users/user-3', 200, {
    user: someUsers[2],
    sessions: 2,
    keys: 3,
    usage: { requests: 1_204, inputTokens: 456_000, outputTokens: 98_000, credits: 912 },
  })
  await answerWith(page, '/admin/users/user-3/usage?*', 200, {
    models: [],
    days: someUsageByDay.map(({ id, ...day }) => ({ date: id, ...day })),
  })
  await answerWith(page, '/admin/users/user-3/receipts?*', 200, { items: someReceipts, nextCursor: null })
  await answerWith(page, '/admin/plans', 200, { plans: somePlans })
  await answerWith(page, '/admin/models', 200, { models: someModels })
  await answerWith(page, '/admin/keys*', 200, { keys: someAdminKeys, nextCursor: null })
  await answerWith(page, '/admin/settings', 200, someSettings)
  await answerWith(page, '/admin/audit*', 200, { entries: someEntries, nextCursor: 'more' })
}

/** Opens a page of the administration with its API calls mocked. */
export async function openAdministration(page: Page, path: string, stands: string, failing?: string): Promise<void> {
  await mockAdministration(page)
  if (failing) await answerWith(page, failing, 503, unavailable)
  await page.goto(path)
  await page.getByText(stands).first().waitFor()
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** The sections of the administration: full, empty, failing, and with their dialogs. */
export const administration: readonly Scene[] = [
  admin('admin-overview', async (page) => {
    await openAdministration(page, '/admin', '1,284')
    for (const drawn of ['Active users', 'Time to first token', 'Credits']) {
      await page.getByRole('img', { name: `${drawn} by day` }).waitFor()
    }
  }),
  admin('admin-users', (page) => openAdministration(page, '/admin/users', 'person-20')),
  admin('admin-users-selected', { continues: 'admin-users' }, async (page) => {
    await page.getByLabel('Select person-7').check()
    await page.getByLabel('Select person-8').check()
    await button(page, 'Ban 2').waitFor()
  }),
  admin('admin-users-grant', { continues: 'admin-users-selected' }, async (page) => {
    await button(page, 'Options for person-7').click()
    await page.getByRole('menuitem', { name: 'Grant credits…' }).click()
    await page.getByRole('button', { name: 'Grant credits', exact: true }).click()
    await page.getByText('Enter a whole number').waitFor()
  }),
  admin('admin-users-refused', { continues: 'admin-users-grant' }, async (page) => {
    await answerWith(page, '/admin/users/*/credits', 503, unavailable)
    await page.getByLabel('Credits', { exact: true }).fill('5')
    await page.getByRole('button', { name: 'Grant credits', exact: true }).click()
    await page.getByText('Failed to grant credits').waitFor()
  }),
  admin('admin-users-none', async (page) => {
    await answerWith(page, '/admin/users*', 200, { users: [], nextCursor: null })
    await page.goto('/admin/users?query=nobody')
    await page.getByText('No users match.').waitFor()
  }),
  admin('admin-users-failing', (page) =>
    openAdministration(page, '/admin/users', 'Failed to load admin data', '/admin/users*'),
  ),
  admin('admin-user', (page) => openAdministration(page, '/admin/users/user-3', 'Report 1')),
  admin('admin-viewing', async (page) => {
    await openAdministration(page, '/admin/users/user-3', 'Report 1')
    await button(page, 'Actions').click()
    const view = page.getByRole('menuitem', { name: 'View as user' })
    await view.waitFor()
    // From here on the profile is that of the viewed user.
    await answerWith(page, '/admin/users/user-3/view-as', 200, { token: 'a.b.c', user: viewed, expiresAt: future })
    await answerWith(page, '/user/**', 503, unavailable)
    await answerWith(page, '/user/profile', 200, { user: viewed })
    await answerWith(page, '/chat/models/hierarchy', 200, { providers: [] })
    await view.click()
    await page.getByText('Viewing as person-3').waitFor()
    await page.getByLabel('Username').waitFor()
  }),
  admin('admin-models', (page) => openAdministration(page, '/admin/models', 'Reasoning')),
  admin('admin-model-delete', { continues: 'admin-models' }, async (page) => {
    await button(page, 'Options for Model 1').first().click()
    await page.getByRole('menuitem', { name: 'Delete model' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete model' }).click()
    await page.getByText('That’s not this model’s ID').waitFor()
  }),
  admin('admin-model', async (page) => {
    await openAdministration(page, '/admin/models/openai%2Fmodel-1', 'Fallback order')
    await page.getByLabel('Name', { exact: true }).fill('')
    await button(page, 'Save model').click()
    await page.getByText('Please correct the form errors').waitFor()
  }),
  admin('admin-plans', (page) => openAdministration(page, '/admin/plans', 'Plus')),
  admin('admin-plan', { continues: 'admin-plans' }, async (page) => {
    await page.getByRole('button', { name: 'Plus', exact: true }).click()
    await page.getByLabel('Requests per window').fill('0')
    await button(page, 'Save plan').click()
    await page.getByRole('dialog').locator('[aria-invalid]').waitFor()
  }),
  admin('admin-keys', (page) => openAdministration(page, '/admin/keys', 'Report 1')),
  admin('admin-key-custom', { continues: 'admin-keys' }, async (page) => {
    await button(page, 'Options for Report 1').click()
    await page.getByRole('menuitemradio', { name: 'Custom…' }).click()
    await page.getByLabel('Requests per window').fill('3')
    await button(page, 'Set custom limits').click()
    await page.getByText('must be at least 10').waitFor()
  }),
  admin('admin-key-menu', { continues: 'admin-key-custom' }, async (page) => {
    await page.keyboard.press('Escape')
    await button(page, 'Options for Report 3').click()
    await page.getByRole('group', { name: 'Tier', exact: true }).waitFor()
  }),
  admin('admin-settings', (page) => openAdministration(page, '/admin/settings', 'settings.changed')),
  admin('admin-audit', (page) => openAdministration(page, '/admin/audit', 'admin as person-4')),
  admin('admin-audit-entry', { continues: 'admin-audit' }, async (page) => {
    await page.locator('[data-row]').nth(3).press('Enter')
    await page.getByRole('dialog').getByText('rateLimits.web.maxRequests').waitFor()
  }),
  admin('admin-audit-undo-refused', { continues: 'admin-audit-entry' }, async (page) => {
    const details = [{ path: 'rateLimits.web.maxRequests', message: 'Was 60, is now 45' }]
    const refusal = { error: 'This has changed since.', code: 'conflict', requestId: 'r', details }
    await answerWith(page, '/admin/audit/*/undo', 409, refusal)
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Was 60, is now 45').waitFor()
  }),
]
