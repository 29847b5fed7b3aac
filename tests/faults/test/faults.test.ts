import type { AdminUser } from '@parley/contracts'
import { apiClient, waitUntil } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, expect, onTestFailed, onTestFinished, test } from 'vitest'
import { startClients } from '../src/clients.ts'
import { type FaultRow, faultRows } from '../src/fault-rows.ts'
import { brokenInvariants } from '../src/invariants.ts'
import { victims } from '../src/load/kills.ts'
import { runLoad } from '../src/load/load.ts'
import { openStage, type Stage } from '../src/stage.ts'

let stage: Stage
const table: Record<string, string>[] = []
beforeAll(async () => {
  stage = await openStage()
}, 600_000)
beforeEach(() => stage.signIn())
afterAll(async () => {
  console.table(table)
  await stage?.close()
})

const usualClients = { size: 50, pieceMs: 500 }

const mostWarnings = 100

/** The last warnings and errors of a log. */
const warningsOf = (output: string): string =>
  output
    .split('\n')
    .filter((line) => !/"level":[123]0/.test(line))
    .slice(-mostWarnings)
    .join('\n')

async function show(row: FaultRow): Promise<void> {
  const { name, inflict, clients: options = usualClients, mayInterrupt = false, killed = 0, cutsSockets = false } = row
  const restartsBefore = stage.split.restarts()
  const saidBefore = stage.split.output().length
  onTestFailed(() => console.error(warningsOf(stage.split.output().slice(saidBefore))))
  const clients = startClients(stage, options)
  // Answers of a failed row must not continue during the next rows.
  onTestFinished(clients.finish)
  await clients.inTheMiddle()
  const observed = await inflict(stage, clients)
  expect(observed, 'the fault was not observed').not.toBe('')
  await clients.progresses()
  clients.finish()
  const received = await clients.all()
  const interrupted = received.filter(({ ending }) => ending === 'error').length
  const resumed = received.filter(({ interruptions }) => interruptions.length > 0).length
  const gap = Math.round(Math.max(...received.map(({ longestGapMs }) => longestGapMs)))
  const reconnections = clients.followers.reduce((sum, one) => sum + one.reconnections, 0)
  table.push({
    fault: name,
    observed,
    resumed: `${resumed}`,
    interrupted: `${interrupted}`,
    'sockets reconnected': `${reconnections}`,
    'longest gap, ms': `${gap}`,
  })
  expect((await brokenInvariants(stage, clients)).join('\n')).toBe('')
  if (!mayInterrupt) expect(received.flatMap(({ failure }) => failure ?? [])).toEqual([])
  if (cutsSockets) expect(reconnections).toBeGreaterThan(0)
  expect(stage.split.restarts() - restartsBefore).toBe(killed)
  // The system has recovered: all clients can chat.
  const after = startClients(stage, { size: 4, pieceMs: 10 })
  after.finish()
  expect((await after.all()).map(({ ending }) => ending)).toEqual(['done', 'done', 'done', 'done'])
  expect(await Promise.all(after.followers.map((one) => one.ended()))).toEqual([true, true])
  await stage.removeChats()
}

// `test.each` would truncate the names.
for (const row of faultRows) test(row.name, () => show(row))

test('while billing is unavailable, admins see users without plans and credits and can ban them; plans and credits return with billing', async () => {
  const { split, users } = stage
  const client = apiClient(split.url)
  onTestFinished(() => client.close())
  const { username: identifier, password } = split.admin
  const { token } = (await client.post('/api/auth/login', { identifier, password })).body as { token: string }
  const admin = client.with({ authorization: `Bearer ${token}` })
  const listed = async () => {
    const { status, body } = await admin.get('/api/admin/users?limit=200')
    return status === 200 ? (body as { users: AdminUser[] }).users : undefined
  }
  const ids = users.map(({ id }) => id).sort()
  const ours = async () => ((await listed()) ?? []).filter(({ _id }) => ids.includes(_id))
  expect((await ours()).map(({ plan }) => plan?.id)).toEqual(ids.map(() => 'free'))
  const replicas = split.replicas('billing')
  const bringBack = async () => {
    for (const one of replicas) {
      one.restartOnDeath(true)
      one.start()
    }
    await Promise.all(replicas.map((one) => one.restarted()))
  }
  onTestFinished(bringBack)
  for (const one of replicas) one.restartOnDeath(false)
  await Promise.all(replicas.map((one) => one.kill('SIGKILL')))

  const without = await ours()
  expect(without.map(({ _id }) => _id).sort()).toEqual(ids)
  expect(without.map(({ plan, credits }) => ({ plan, credits }))).toEqual(
    ids.map(() => ({ plan: null, credits: null })),
  )
  expect((await admin.get(`/api/admin/users/${ids[0]}`)).body).toMatchObject({ keys: null, usage: null })
  for (const path of ['plans', 'keys', 'usage', 'users?plan=free']) {
    expect(await admin.get(`/api/admin/${path}`), path).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  }
  for (const banned of [true, false]) {
    const { body } = await admin.patch(`/api/admin/users/${ids[0]}`, { banned })
    expect(body).toMatchObject({ user: { banned, plan: null } })
  }
  expect((await admin.get('/api/admin/audit?limit=1')).status).toBe(200)

  await bringBack()
  await waitUntil(async () => (await ours()).every(({ plan }) => plan?.id === 'free'), 'plans in the list of users')
})

test('every generation on the web and by key is charged once, as its receipt says, despite duplicates and kills of the bus, llm-router, gateway and billing', async () => {
  const generations = 300
  const { kills, figures, violations } = await runLoad(stage, {
    ...{ generations, atOnce: 40, pieceMs: 100, retries: 0, killsWait: false, allSettled: false },
    nextKill: async (nth, ended) => {
      const due = (nth + 1) * (generations / 10)
      return nth < victims.length && (await waitUntil(() => ended() >= due, `${due} ends`, 120_000, 20))
    },
  })
  console.table({ ...figures, ...kills })
  expect(violations.join('\n')).toBe('')
  expect(Object.values(kills)).toEqual([1, 1, 1, 1])
  expect(figures['generations asked for']).toBe(generations)
  expect(figures['charged by the receipts']).toBe(figures['charged by the ledger'])
  expect(figures['events that came twice']).toBeGreaterThan(0)
})
