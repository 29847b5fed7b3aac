import type { Parley } from '../parley.ts'
import { register } from '../register.ts'
import { median, quantile, withSpread } from '../statistics.ts'
import { readGaps } from '../stream-gaps.ts'
import type { Row } from '../table.ts'
import type { Whole } from '../whole.ts'

const password = 'a long password of a reader'
const tokensPerSecond = 20
const limits = { signInMs: 150, gapRatio: 1.3, knownMs: 10 }
/** Streams whose gaps are measured. */
const streams = 10
const burst = 50

/** A1, A2: signing in while answers stream, and streams while many sign in. A3: what response times reveal. */
export async function measureSignIn(whole: Whole): Promise<Row[]> {
  const { plan, parley, stub } = whole
  const seconds = plan.chatSeconds
  const tokens = tokensPerSecond * seconds
  await stub.ask('pace', { tokens, everyMs: 1_000 / tokensPerSecond, padding: 0 })
  const names = Array.from({ length: plan.signIns }, (_none, nth) => `visitor-${nth}`)
  for (const name of names) await register(parley, name)
  const gaps = (count: number): Promise<number[]> => readGaps(Array.from({ length: count }, () => parley.chat()))
  const [alone] = await Promise.all([timesOf(names.slice(0, 20), (name, nth) => signIn(parley, name, nth)), gaps(1)])
  const rounds: number[] = []
  for (let round = 0; round < plan.chatRounds; round += 1) {
    const quiet = quantile(await gaps(streams), 0.99)
    const [busy] = await Promise.all([
      gaps(streams),
      ...Array.from({ length: burst }, (_none, nth) => signIn(parley, names[nth % names.length] ?? '', nth)),
    ])
    rounds.push(quantile(busy, 0.99) / quiet)
  }
  const p50 = median(alone)
  return [
    {
      id: 'A1',
      goal: 'signing in while an answer streams, p50',
      measured: withSpread(alone, 0, ' ms'),
      limit: `≤ ${limits.signInMs} ms`,
      met: p50 <= limits.signInMs,
    },
    {
      id: 'A2',
      goal: `p99 of the pauses between the events of ${streams} streams while ${burst} sign in at once, over without them`,
      measured: withSpread(rounds, 2),
      limit: `≤ ${limits.gapRatio}`,
      met: median(rounds) <= limits.gapRatio,
    },
    ...(await measureProbes(parley, names)),
  ]
}

interface Probe {
  readonly path: string
  /** @param name of an existing account, or of none */
  readonly body: (name: string, nth: number) => object
  /** The status of both, or one each where the contract distinguishes them. */
  readonly status: number | { readonly known: number; readonly unknown: number }
}

const probes: readonly Probe[] = [
  { path: '/auth/login', body: (identifier) => ({ identifier, password: 'not the password' }), status: 401 },
  { path: '/auth/password-reset-request', body: (name) => ({ email: addressOf(name) }), status: 200 },
  { path: '/auth/resend-verification', body: (username) => ({ username }), status: 200 },
  { path: '/auth/verify-email', body: (username) => ({ username, code: '000000' }), status: 401 },
  {
    path: '/auth/update-email',
    body: (username) => ({ username, newEmail: `${username}@elsewhere.test` }),
    status: 401,
  },
  {
    path: '/auth/register',
    body: (name, nth) => ({ username: `newcomer-${nth}-${name.length}`, email: addressOf(name), password }),
    status: { known: 409, unknown: 201 },
  },
]

const addressOf = (name: string): string => `${name}@parley.test`

/** Alternates calls about existing and unknown accounts. */
async function measureProbes(parley: Parley, names: readonly string[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const { path, body, status } of probes) {
    const expected = typeof status === 'number' ? { known: status, unknown: status } : status
    const known: number[] = []
    const unknown: number[] = []
    for (const [nth, name] of names.entries()) {
      const call = (about: string, wanted: number) =>
        timed(() => postFor(parley, path, body(about, nth), { nth, wanted }))
      known.push(await call(name, expected.known))
      unknown.push(await call(`nobody-${nth}`, expected.unknown))
    }
    const difference = Math.abs(median(known) - median(unknown))
    rows.push({
      id: 'A3',
      goal: `${path}: p50 for accounts that are there (${median(known).toFixed(1)} ms) less that for such that are not, ${names.length} calls each`,
      measured: `${difference.toFixed(1)} ms`,
      limit: `< ${limits.knownMs} ms`,
      met: difference < limits.knownMs,
    })
  }
  return rows
}

async function timesOf(names: readonly string[], act: (name: string, nth: number) => Promise<unknown>) {
  const times: number[] = []
  for (const [nth, name] of names.entries()) times.push(await timed(() => act(name, nth)))
  return times
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await act()
  return performance.now() - startedAt
}

const signIn = (parley: Parley, identifier: string, nth: number): Promise<void> =>
  postFor(parley, '/auth/login', { identifier, password }, { nth, wanted: 200 })

/** Posts from a network of its own, because attempts are also counted per network. @throws Error for an unexpected status */
async function postFor(
  { url }: Parley,
  path: string,
  body: object,
  { nth, wanted }: { readonly nth: number; readonly wanted: number },
): Promise<void> {
  const response = await fetch(`${url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.18.${nth >> 8}.${nth & 255}` },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== wanted) throw new Error(`${path}: ${response.status} instead of ${wanted}: ${text}`)
}
