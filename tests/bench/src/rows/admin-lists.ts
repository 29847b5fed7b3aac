import type { Parley } from '../parley.ts'
import type { Plan } from '../plan.ts'
import { median, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'
import { timedCall } from '../timed-call.ts'

const limitMs = 100
const warmUps = 2
/** The number of pages before a deep page. */
const pagesBefore = 40

/** Paths by the name of their variant. */
type Calls = Readonly<Record<string, string>>

/** W8: every list and search of the administration over the seeded data; the slowest of each area is judged. */
export async function measureAdminLists(plan: Plan, parley: Parley): Promise<Row[]> {
  const { seededUsers } = plan
  const areas: Readonly<Record<string, Calls>> = {
    [`${seededUsers} users`]: await usersCalls(parley, seededUsers),
    'API keys': await keysCalls(parley),
    models: {
      all: '/admin/models',
      'a search': '/admin/models?query=model-49',
      'a provider': '/admin/models?provider=openai',
    },
    [`${seededUsers * 10} audit entries`]: await auditCalls(parley),
    'usage and totals of a year': usageCalls(),
  }
  const rows: Row[] = []
  for (const [area, calls] of Object.entries(areas)) rows.push(await slowestOf(plan, parley, area, calls))
  return rows
}

async function usersCalls(parley: Parley, users: number): Promise<Calls> {
  const list = (query: string): string => `/admin/users?limit=50&${query}`
  const [{ _id: one }] = await firstOf<'users', { _id: string }>(parley, 'users', list('query=seeded-77'))
  return {
    'newest first': list(''),
    'by name': list('sort=username&order=asc'),
    'by last login': list('sort=lastLoginAt'),
    'never seen first': list('sort=lastLoginAt&order=asc'),
    'a page deep in them': await deepPage(parley, list('sort=username&order=asc')),
    'a name': list(`query=seeded-${users - 1}`),
    'part of every name': list('query=seeded'),
    'part of every name, by last login': list('query=seeded&sort=lastLoginAt'),
    'part of many addresses': list('query=7%40example'),
    'two letters': list('query=99'),
    nobody: list('query=zanzibar'),
    banned: list('banned=true'),
    'banned with a part of a name': list('banned=true&query=99&sort=username'),
    'not banned, by name': list('banned=false&sort=username&order=asc'),
    admins: list('admin=true'),
    'single sign-on': list('type=oauth&sort=lastLoginAt'),
    'a plan': list('plan=pro'),
    'a plan, by last login': list('plan=free&sort=lastLoginAt&order=asc'),
    'a plan with nobody found': list('plan=pro&query=zanzibar'),
    'one user': `/admin/users/${one}`,
    'usage of one': `/admin/users/${one}/usage`,
    'receipts of one': `/admin/users/${one}/receipts`,
    statistics: '/admin/stats',
    plans: '/admin/plans',
  }
}

async function keysCalls(parley: Parley): Promise<Calls> {
  const list = (query: string): string => `/admin/keys?limit=50&${query}`
  const [{ userId, prefix }] = await firstOf<'keys', { userId: string; prefix: string }>(parley, 'keys', list(''))
  return {
    'newest first': list(''),
    'a page deep in them': await deepPage(parley, list('')),
    'a label': list('query=Seeded%20key%2049'),
    'part of every label': list('query=seeded'),
    'a prefix': list(`query=${encodeURIComponent(prefix)}`),
    'an owner': list('query=seeded-4321'),
    nothing: list('query=zanzibar'),
    'a tier': list('tier=3'),
    'a tier without keys': list('tier=5'),
    'keys of one': list(`userId=${userId}`),
  }
}

async function auditCalls(parley: Parley): Promise<Calls> {
  const list = (query: string): string => `/admin/audit?limit=50&${query}`
  const [{ target }] = await firstOf<'entries', { target: { id: string } }>(
    parley,
    'entries',
    list('action=user.banned'),
  )
  const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  return {
    'newest first': list(''),
    'a page deep in them': await deepPage(parley, list('')),
    'an admin': list('actor=admin'),
    'an unknown admin': list('actor=zanzibar'),
    'an act': list('action=user.unbanned'),
    'an unknown act': list('action=zanzibar'),
    'a user': list(`target=${target.id}`),
    'a user and an act': list(`target=${target.id}&action=user.banned&actor=admin`),
    'a month of last year': list(`from=${daysAgo(330)}&to=${daysAgo(300)}`),
    'an act in a week': list(`action=user.banned&from=${daysAgo(107)}&to=${daysAgo(100)}`),
  }
}

function usageCalls(): Calls {
  const from = new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10)
  const by = (division: string): string => `/admin/usage?by=${division}&from=${from}&limit=50`
  return {
    'by day': by('day'),
    'by model': by('model'),
    'by user': by('user'),
    'by key': by('key'),
    'of the last 30 days by user': '/admin/usage?by=user&limit=50',
    'active users': '/admin/active-users',
    'first tokens': '/admin/first-token',
    money: `/admin/money?from=${from}`,
    'preview of a limit': '/admin/limits/preview?area=web&windowMinutes=1&maxRequests=20',
  }
}

/** @throws Error when the list is empty */
async function firstOf<Name extends string, Item>(parley: Parley, name: Name, path: string): Promise<[Item]> {
  const items = (await parley.call<Record<Name, Item[]>>('GET', path))[name]
  const [first] = items
  if (first === undefined) throw new Error(`${path} lists nothing`)
  return [first]
}

/** The path of a deep page, reached by following cursors from the first. */
async function deepPage(parley: Parley, path: string): Promise<string> {
  let page = path
  for (let passed = 0; passed < pagesBefore; passed += 1) {
    const { nextCursor } = await parley.call<{ nextCursor: string | null }>('GET', page)
    if (nextCursor === null) break
    page = `${path}&cursor=${encodeURIComponent(nextCursor)}`
  }
  return page
}

async function slowestOf(plan: Plan, { url, token }: Parley, area: string, calls: Calls): Promise<Row> {
  let slowest: { readonly name: string; readonly times: readonly number[] } = { name: '', times: [0] }
  for (const [name, path] of Object.entries(calls)) {
    const times: number[] = []
    for (let call = -warmUps; call < plan.historyCalls; call += 1) {
      const ms = await timedCall(`${url}/api${path}`, token)
      if (call >= 0) times.push(ms)
    }
    console.error(`  ${area}, ${name}: ${withSpread(times, 0, ' ms')}`)
    if (median(times) > median(slowest.times)) slowest = { name, times }
  }
  return {
    id: 'W8',
    goal: `${area}: the slowest of ${Object.keys(calls).length} lists and searches (${slowest.name})`,
    measured: withSpread(slowest.times, 0, ' ms'),
    limit: `≤ ${limitMs} ms`,
    met: median(slowest.times) <= limitMs,
  }
}
