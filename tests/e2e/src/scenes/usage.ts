import type { ApiKey, Receipt, UserUsage } from '@parley/contracts'
import type { Page } from 'playwright-core'
import { intercept } from '../intercept.ts'
import { composer } from '../people.ts'
import { answerWith, regular, type Scene } from './scene.ts'

const time = '2026-01-15T10:00:00.000Z'
const daysAgo = (days: number): string => new Date(Date.now() - days * 24 * 60 * 60_000).toISOString()
const dateOf = (days: number): string => daysAgo(days).slice(0, 10)

const counts = { requests: 1234, inputTokens: 456_000, outputTokens: 98_000 }
const used = {
  ...counts,
  estimated: true,
  models: ['v3', 'a-model-that-is-gone'].map((model) => ({ model, ...counts, averageResponseMs: 812 })),
}
const unused = { requests: 0, inputTokens: 0, outputTokens: 0, estimated: false, models: [] }
const someKey: ApiKey = {
  id: 'k1',
  label: 'Nightly report',
  prefix: 'sk-Ab12',
  lastFour: 'x9Zq',
  tier: 1,
  createdAt: time,
  lastUsed: time,
  expiresAt: null,
  limits: { requests: 600, windowMinutes: 60, remaining: 412 },
  usage: {
    total: used,
    monthly: used,
    days: Array.from({ length: 12 }, (_, day) => ({ date: dateOf(20 - day), requests: 20 + day * (day % 3) })),
  },
}
const someKeys: ApiKey[] = [
  someKey,
  {
    ...someKey,
    id: 'k2',
    label: 'A label that goes on and on until no line of a phone has room for all the words that it is made of',
    tier: 3,
    expiresAt: daysAgo(-3),
    limits: { requests: 3000, windowMinutes: 60, remaining: 120 },
  },
  {
    ...someKey,
    id: 'k3',
    label: 'Unused',
    lastUsed: null,
    expiresAt: time,
    limits: { ...someKey.limits, remaining: null },
    usage: { total: unused, monthly: unused },
  },
]

const someUsage: UserUsage = {
  models: used.models.map(({ averageResponseMs: _, ...model }) => ({ ...model, credits: 240, estimated: true })),
  days: Array.from({ length: 24 }, (_, day) => ({
    date: dateOf(28 - day),
    ...counts,
    credits: 8 + day * (day % 4),
    estimated: false,
  })),
}
const receipt: Receipt = {
  generationId: 'g1',
  at: time,
  model: 'v3',
  source: 'web',
  held: 5,
  charged: 3,
  released: 2,
  outcome: 'complete',
  inputTokens: 1204,
  outputTokens: 300,
  estimated: false,
  balanceAfter: 95,
  reason: 'The answer was made.',
}
const someReceipts: Receipt[] = [
  receipt,
  { ...receipt, generationId: 'g2', charged: 0, released: 5, outcome: 'no_output', reason: 'There was no output.' },
  { ...receipt, generationId: 'g3', source: 'key', charged: 0, released: 5, outcome: 'failed', estimated: true },
]

async function openKeys(page: Page, keys: readonly ApiKey[] = someKeys): Promise<void> {
  await answerWith(page, '/user/keys', 200, { keys })
  await page.goto('/profile/keys')
  await page.getByText(keys.length === 0 ? 'You have no API keys.' : 'No requests yet').waitFor()
}

async function askFor(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'Options for Nightly report' }).click()
  await page.getByRole('menuitem', { name: action }).click()
  await page.getByRole('dialog').waitFor()
}

async function openUsage(page: Page, usage: UserUsage, items: readonly Receipt[]): Promise<void> {
  await answerWith(page, '/user/usage?*', 200, usage)
  await answerWith(page, '/user/receipts?*', 200, { items, nextCursor: items.length === 0 ? null : 'more' })
  await page.goto('/profile/usage')
  await page.getByText(items.length === 0 ? 'No receipts in this period.' : 'There was no output.').waitFor()
}

/** API keys and usage. */
export const usage: Scene[] = [
  regular('keys', async (page) => {
    await openKeys(page)
    await page.getByText('Usage by model').first().click()
    await page.getByText('Nightly report, this month').waitFor()
  }),
  regular('keys-create', { continues: 'keys' }, async (page) => {
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Enter a label').waitFor()
  }),
  regular('keys-secret', { continues: 'keys-create' }, async (page) => {
    const answer = { key: someKey, secret: 'sk-Ab12cdEFghIJklMNopQRstUVwxYZ0123456789abcdefghx9Zq' }
    await intercept(page, '/user/keys', ({ method }) =>
      method === 'POST' ? { status: 201, json: answer } : 'continue',
    )
    await page.getByRole('textbox', { name: 'Label', exact: true }).fill('Nightly report')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    await page.getByText(answer.secret).waitFor()
  }),
  regular('keys-none', (page) => openKeys(page, [])),
  regular('api-documentation', async (page) => {
    await answerWith(page, '/user/keys', 200, { keys: someKeys })
    await page.goto('/docs/api')
    await page.getByRole('table', { name: 'Your keys now' }).waitFor()
    // Waits for syntax highlighting.
    await page.locator('pre span[style]').first().waitFor()
  }),
  regular('keys-lost', async (page) => {
    await answerWith(page, '/user/keys', 400, {})
    await page.goto('/profile/keys')
    await page.getByText('Failed to load keys').waitFor()
  }),
  regular('keys-rotate', async (page) => {
    await openKeys(page)
    await askFor(page, 'Rotate')
  }),
  regular('keys-revoke', { continues: 'keys-rotate' }, async (page) => {
    await page.keyboard.press('Escape')
    await askFor(page, 'Revoke')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('That’s not this key’s label').waitFor()
  }),
  regular('usage', async (page) => {
    await openUsage(page, someUsage, someReceipts)
    await page.getByRole('img', { name: /^Credits by day/ }).waitFor()
  }),
  regular('usage-table', { continues: 'usage' }, async (page) => {
    await page.getByText('Table', { exact: true }).click()
    await page.getByRole('columnheader', { name: 'Day' }).waitFor()
  }),
  regular('usage-none', (page) => openUsage(page, { models: [], days: [] }, [])),
  regular('usage-lost', async (page) => {
    await answerWith(page, '/user/usage?*', 400, {})
    await answerWith(page, '/user/receipts?*', 400, {})
    await page.goto('/profile/usage')
    await page.getByText('Your usage couldn’t be loaded.').waitFor()
    await page.getByText('Your receipts couldn’t be loaded.').waitFor()
  }),
  regular('credit-warning', async (page) => {
    const warning = { shouldShow: true, threshold: 80, usagePercentage: 83, acknowledged: false, warningShown: true }
    await answerWith(page, '/user/credit-warning', 200, warning)
    await page.goto('/')
    await composer(page).waitFor()
    await page.getByRole('button', { name: 'Got it' }).waitFor()
  }),
]
