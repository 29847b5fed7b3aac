import { openMemoryHub } from '@parley/cache'
import { authRoutes } from '@parley/contracts'
import { createLogger, createServiceClient } from '@parley/kit'
import { createTokenVerifier } from '@parley/kit/access-token'
import { type FixedClock, fixedClock } from '@parley/testing'
import { type TestDatabase, testDatabase } from '@parley/testing/postgres'
import { decodeProtectedHeader } from 'jose'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rotateKeys } from '../src/administration/recovery.ts'
import { type Browser, givenUser, openBrowser } from './browser.ts'
import { identity, type RunningAuth, secrets, startAuth } from './running-auth.ts'

interface Replica {
  readonly auth: RunningAuth
  readonly clock: FixedClock
}
const hub = openMemoryHub({ log: createLogger('test', 'silent') })
let database: TestDatabase
let one: Replica
let two: Replica
beforeEach(async () => {
  database = await testDatabase()
  ;[one, two] = [await start(), await start()]
})
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all([one.auth.stop(), two.auth.stop()])
  await database.drop()
})
afterAll(() => hub.close())

async function start(): Promise<Replica> {
  const clock = fixedClock(new Date())
  return { auth: await startAuth({ database, hub, now: clock.now }), clock }
}

/** The key that a replica signs this browser's next token with. */
async function signsWith({ auth }: Replica, browser: Browser): Promise<string> {
  const here = openBrowser(auth)
  for (const [name, value] of browser.cookies) here.cookies.set(name, value)
  expect((await here.call(authRoutes.refresh)).status).toBe(200)
  browser.useToken(here.token())
  for (const [name, value] of here.cookies) browser.cookies.set(name, value)
  return kidOf(here)
}
const kidOf = (browser: Browser): string => String(decodeProtectedHeader(browser.token() ?? '').kid)
const published = async ({ auth }: Replica): Promise<unknown[]> =>
  (await openBrowser(auth).call(authRoutes.jwks)).body.keys.map(({ kid }) => kid)
const databaseTime = async (): Promise<number> => {
  const [row] = await one.auth.sql<{ now: Date }>('select clock_timestamp() as now')
  return Number(row?.now)
}
/** Time as the database sees it. */
const letPass = (interval: string) =>
  one.auth.sql('update signing_keys set signs_from = signs_from - $1::interval', [interval])
/** Each replica looks whose turn it is every half a minute. */
const letReplicasLook = (): void => {
  for (const { clock } of [one, two]) clock.advance(30_000)
}
/** What the gateway does, with a memory of keys of its own. */
function openVerifier({ auth }: Replica) {
  const client = createServiceClient({ self: 'gateway', locate: () => auth.url, identity })
  return { verify: createTokenVerifier(client), close: () => client.close() }
}

describe('a rotation', () => {
  it('a rotation publishes the next key a minute before it signs, and every replica switches to it in turn', async () => {
    const { browser } = await givenUser(one.auth)
    const old = kidOf(browser)
    const before = await databaseTime()
    const next = await rotateKeys(one.auth.stores, secrets)
    const after = await databaseTime()
    expect(next.isNew).toBe(true)
    expect(next.signsFrom.getTime()).toBeGreaterThanOrEqual(before + 60_000)
    expect(next.signsFrom.getTime()).toBeLessThanOrEqual(after + 60_000)
    for (const replica of [one, two]) expect(await published(replica)).toEqual([next.kid, old])
    letReplicasLook()
    expect([await signsWith(one, browser), await signsWith(two, browser)]).toEqual([old, old])
    await letPass('30 seconds')
    letReplicasLook()
    expect(await signsWith(two, browser)).toBe(old)
    await letPass('30 seconds')
    one.clock.advance(30_000)
    expect([await signsWith(one, browser), await signsWith(two, browser)]).toEqual([next.kid, old])
    letReplicasLook()
    expect(await signsWith(two, browser)).toBe(next.kid)
  })

  it('tokens signed before a rotation, even long ago, verify with both keys', async () => {
    const { browser } = await givenUser(one.auth)
    const verifier = openVerifier(one)
    const before = browser.token() ?? ''
    await verifier.verify(before)
    const next = await rotateKeys(one.auth.stores, secrets)
    await letPass('60 seconds')
    letReplicasLook()
    // A verifier asks for keys again after some seconds, so it has had time to.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect(await signsWith(two, browser)).toBe(next.kid)
    const after = await verifier.verify(browser.token() ?? '')
    expect(await verifier.verify(before)).toMatchObject({ userId: after.userId, sessionId: after.sessionId })
    await verifier.close()
  })

  it('the old key is deleted when its last token has expired, and no sooner', async () => {
    const { browser } = await givenUser(one.auth)
    const [old, before] = [kidOf(browser), browser.token() ?? '']
    const { kid } = await rotateKeys(one.auth.stores, secrets)
    await letPass('60 seconds')
    await letPass('19 minutes 30 seconds')
    await one.auth.stores.sweeps.sweep()
    expect(await published(two)).toEqual([kid, old])
    await letPass('30 seconds')
    expect(await published(two)).toEqual([kid])
    await one.auth.stores.sweeps.sweep()
    expect(await one.auth.sql('select kid from signing_keys')).toEqual([{ kid }])
    const verifier = openVerifier(two)
    await expect(verifier.verify(before)).rejects.toMatchObject({ code: 'unauthenticated' })
    await verifier.close()
  })

  it('concurrent requests for a rotation wait for the running one', async () => {
    const rotations = await Promise.all([one, two, one].map(({ auth }) => rotateKeys(auth.stores, secrets)))
    expect(new Set(rotations.map(({ kid }) => kid)).size).toBe(1)
    expect(rotations.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(await published(one)).toHaveLength(2)
  })

  it('a rotation with another secret does no harm: a key that all replicas can open replaces it', async () => {
    const { browser } = await givenUser(one.auth)
    const before = browser.token() ?? ''
    const foreign = await rotateKeys(one.auth.stores, ['some other secret of 32 characters'])
    await letPass('60 seconds')
    letReplicasLook()
    const kids = [await signsWith(one, browser), await signsWith(two, browser)]
    expect(new Set(kids).size).toBe(1)
    expect(kids).not.toContain(foreign.kid)
    const verifier = openVerifier(two)
    for (const token of [before, browser.token() ?? '']) await verifier.verify(token)
    await verifier.close()
  })
})
