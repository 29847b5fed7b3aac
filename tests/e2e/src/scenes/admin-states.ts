import type { Health } from '@parley/contracts'
import { serviceNames } from '@parley/contracts'
import type { Page } from 'playwright-core'
import { intercept } from '../intercept.ts'
import { someSettings, unavailable } from './administration-data.ts'
import { admin, answerWith, type Scene } from './scene.ts'

const time = '2026-01-15T10:00:00.000Z'
const calm: Health = {
  services: serviceNames.map((name) => ({ name, ready: true, failed: [], replicas: [] })),
  breakers: [],
  deadLetters: [],
  certificates: [],
}
const noStats = {
  ...{ totalUsers: 0, newUsers: 0, localUsers: 0, oauthUsers: 0 },
  ...{ activeToday: 0, bannedUsers: 0, newlyBanned: 0 },
}

/** What an empty installation answers, by path. */
const empty: Readonly<Record<string, unknown>> = {
  '/admin/stats': { stats: noStats },
  '/admin/active-users': { last30Days: 0, days: [] },
  '/admin/first-token?*': { total: null, days: [] },
  '/admin/usage?*': { items: [], nextCursor: null },
  '/admin/health': calm,
  '/admin/users*': { users: [], nextCursor: null },
  '/admin/models': { models: [] },
  '/admin/plans': { plans: [] },
  '/admin/keys*': { keys: [], nextCursor: null },
  '/admin/settings': someSettings,
  '/admin/limits/preview?*': { from: time, to: time, subjects: 0, limited: 0, refused: 0 },
  '/admin/audit*': { entries: [], nextCursor: null, names: {} },
  '/admin/money?*': { days: [], alarms: [] },
}

/** The sections, each with a text that it shows when it is empty. */
const sections = {
  overview: 'All services are ready.',
  users: 'No users match.',
  models: 'No models match.',
  plans: 'No plans yet.',
  keys: 'No API keys yet.',
  limits: 'With these limits',
  settings: 'Data export cooldown',
  money: 'Every checked day balances.',
  health: 'No dead letters.',
  audit: 'No admin actions yet.',
} as const
type Section = keyof typeof sections

const open = async (page: Page, section: Section): Promise<void> => {
  await page.goto(section === 'overview' ? '/admin' : `/admin/${section}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

const statesOf = (section: Section): readonly Scene[] => [
  admin(`admin-state-${section}-empty`, async (page) => {
    for (const [path, body] of Object.entries(empty)) await answerWith(page, path, 200, body)
    await open(page, section)
    const text: string = sections[section]
    if (text !== '') await page.getByText(text).first().waitFor()
    await page.waitForLoadState('networkidle')
  }),
  admin(`admin-state-${section}-loading`, async (page) => {
    await intercept(page, '/admin/**', () => 'hang')
    await open(page, section)
  }),
  admin(`admin-state-${section}-failing`, async (page) => {
    await answerWith(page, '/admin/**', 503, unavailable)
    await open(page, section)
    await page.getByRole('alert').first().waitFor()
  }),
]

/** Every section of the administration when it is empty, loading and failing. Only for pictures: their parts are checked with other scenes. */
export const adminStates: readonly Scene[] = (Object.keys(sections) as Section[]).flatMap(statesOf)
