import type { Health, MoneyDay } from '@parley/contracts'
import type { Page } from 'playwright-core'
import { someSettings, unavailable } from './administration-data.ts'
import { admin, answerWith, type Scene } from './scene.ts'

const time = '2026-01-15T10:00:00.000Z'
const replica = (id: string) => ({ id, host: `chat-${id}`, version: '0.1.0', node: '24.0.0', startedAt: time })
const wellReplica = (id: string) => ({ ...replica(id), ready: true, failed: [] })

const troubledHealth: Health = {
  services: [
    { name: 'gateway', ready: true, failed: [], replicas: [] },
    {
      ...{ name: 'auth', ready: true, failed: [], outbox: { oldestAt: null }, replicas: [wellReplica('1')] },
      engines: [
        { name: 'postgres', ready: true },
        { name: 'bus', ready: true, lag: { 'auth.audit': 0, 'auth.erasures': 0 } },
      ],
    },
    {
      ...{ name: 'chat', ready: false, failed: ['store', 'bus'], outbox: { oldestAt: time } },
      engines: [
        { name: 'store', ready: false },
        { name: 'bus', ready: true, lag: { 'chat.bans': 1_204, 'chat.erasures': 3 } },
      ],
      replicas: [wellReplica('1'), { ...replica('2'), ready: false, failed: ['store', 'bus'] }],
    },
    {
      ...{ name: 'notifier', ready: true, failed: [] },
      mailQueue: {
        ...{ waiting: 12, oldestAt: time, reason: '535 5.7.8 Authentication credentials invalid' },
        settled: { sent: 1_204, failed: 211, reason: '550 5.7.1 <address> is not wanted here' },
      },
      replicas: [wellReplica('1')],
    },
  ],
  breakers: [
    { provider: 'openai', model: 'openai/model-1', state: 'open', since: time },
    { provider: 'deepseek', model: 'v3', state: 'half-open', since: time },
  ],
  deadLetters: [{ group: 'billing.accounts-and-settlements', count: 3, oldestAt: time }],
  certificates: [
    { server: 'mail.example:465', startsAt: '2025-10-01T00:00:00.000Z', endsAt: time },
    { server: 'chat.example:443', startsAt: time, endsAt: '2099-01-15T10:00:00.000Z' },
  ],
}

const day = (index: number): MoneyDay => ({
  date: new Date(Date.UTC(2026, 0, index + 1)).toISOString().slice(0, 10),
  sold: 200 + (index % 7) * 90,
  spent: 120 + index * 6,
  recorded: 120 + index * 6 - (index === 4 ? 5 : 0),
  providerCost: 1_240_000 + index * 30_000,
  drift: index === 4 ? 5 : 0,
})
const someMoney = {
  days: Array.from({ length: 30 }, (_, index) => day(index)),
  alarms: [{ date: '2026-01-05', kind: 'ledger', expected: 144, found: 139, at: time }],
}
const somePreview = { from: time, to: time, subjects: 1_204, limited: 37, refused: 911 }

async function openHealth(page: Page): Promise<void> {
  await answerWith(page, '/admin/health', 200, troubledHealth)
  await page.goto('/admin/health')
  await page.getByRole('heading', { name: 'Circuit breakers' }).waitFor()
}
async function openMoney(page: Page, path: string): Promise<void> {
  await answerWith(page, '/admin/money?*', 200, someMoney)
  await page.goto(path)
  await page.getByText('The ledger captured 144 credits').waitFor()
}

/** Health, money and limits: in trouble, loading, and failing. */
export const operations: readonly Scene[] = [
  admin('admin-health-trouble', (page) => openHealth(page)),
  admin('admin-health-drop', { continues: 'admin-health-trouble' }, async (page) => {
    await page.getByRole('button', { name: 'Drop 3 events' }).click()
    await page.getByRole('dialog').waitFor()
  }),
  admin('admin-health-failing', async (page) => {
    await answerWith(page, '/admin/health', 503, unavailable)
    await page.goto('/admin/health')
    await page.getByText('Failed to load service health').waitFor()
  }),
  admin('admin-money', async (page) => {
    await openMoney(page, '/admin/money')
    await page.getByRole('img', { name: /^Credits or cost by day/ }).waitFor()
  }),
  admin('admin-money-table', (page) => openMoney(page, '/admin/money?shape=table')),
  admin('admin-limits', async (page) => {
    await answerWith(page, '/admin/settings', 200, someSettings)
    await answerWith(page, '/admin/limits/preview?*', 200, somePreview)
    await page.goto('/admin/limits')
    await page.getByText('With these limits, 37 users of 1,204').waitFor()
    await page.getByLabel('Max requests').first().fill('0')
    await page.getByText('Enter a whole number from').waitFor()
  }),
]
