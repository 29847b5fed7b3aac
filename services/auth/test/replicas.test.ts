import { openMemoryHub } from '@parley/cache'
import { accessToken, authRoutes } from '@parley/contracts'
import { createLogger } from '@parley/kit'
import { type TestDatabase, testDatabase } from '@parley/testing/postgres'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { resetPassword } from '../src/administration/recovery.ts'
import { givenSuperAdmin, givenUser, openBrowser } from './browser.ts'
import { type AuthOptions, adminPassword, type RunningAuth, startAuth } from './running-auth.ts'

const hub = openMemoryHub({ log: createLogger('test', 'silent') })
let database: TestDatabase
let running: RunningAuth[] = []
beforeAll(async () => {
  database = await testDatabase()
})
afterEach(async () => {
  await Promise.all(running.map((auth) => auth.stop()))
  running = []
})
afterAll(async () => {
  await hub.close()
  await database.drop()
})

async function start(options: Partial<AuthOptions> = {}): Promise<RunningAuth> {
  const auth = await startAuth({ database, hub, ...options })
  running.push(auth)
  return auth
}
const verify = async (auth: RunningAuth, token: string) => {
  const { body } = await openBrowser(auth).call(authRoutes.jwks)
  return await jwtVerify(token, createLocalJWKSet(body as unknown as JSONWebKeySet), {
    algorithms: [accessToken.algorithm],
    issuer: accessToken.issuer,
    audience: accessToken.audience,
    typ: accessToken.type,
  })
}

describe('two replicas', () => {
  it('two replicas that start together for the first time create one super admin and one key', async () => {
    const [one, two] = await Promise.all([
      start({ generatedAdminPassword: true }),
      start({ generatedAdminPassword: true }),
    ])
    const made = [one, two].map((auth) => auth.service.firstAdmin()).filter((admin) => admin !== undefined)
    expect(made).toEqual([{ username: 'root', password: expect.stringMatching(/^[\w-]{16}$/) }])
    const { user } = await givenSuperAdmin(one, made[0]?.password ?? '')
    expect(user).toMatchObject({ isAdmin: true, isSuperAdmin: true, emailVerified: true, email: 'root@localhost' })
    expect((await openBrowser(two).call(authRoutes.jwks)).body.keys).toHaveLength(1)
  })

  it('two replicas verify each other’s tokens, and refresh and end each other’s sessions', async () => {
    const [one, two] = [await start(), await start()]
    const { browser, user } = await givenUser(one)
    const { payload } = await verify(two, browser.token() ?? '')
    expect(payload.sub).toBe(user._id)
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900)
    expect(Object.keys(payload).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'sid', 'sub'])
    const other = openBrowser(two)
    for (const [name, value] of browser.cookies) other.cookies.set(name, value)
    expect((await other.call(authRoutes.refresh)).status).toBe(200)
    await other.call(authRoutes.logout)
    expect((await browser.call(authRoutes.refresh)).status).toBe(401)
  })
})

describe('signing keys', () => {
  it('signing keys publish no private part and survive a restart', async () => {
    const before = await start()
    const { browser } = await givenUser(before)
    const token = browser.token() ?? ''
    await before.stop()
    running = []
    const after = await start()
    await verify(after, token)
    const { text } = await openBrowser(after).call(authRoutes.jwks)
    expect(text).not.toContain('"d"')
    const [row] = await after.sql<{ sealed: string }>(
      `select encode(private_key, 'base64') as sealed from signing_keys`,
    )
    expect(Buffer.from(row?.sealed ?? '', 'base64').toString('latin1')).not.toContain(
      '\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07',
    )
  })

  it('signing keys are replaced when the secret was replaced, and old tokens remain valid', async () => {
    const before = await start()
    const { browser } = await givenUser(before)
    const token = browser.token() ?? ''
    await before.stop()
    running = []
    const after = await start({ secrets: ['another secret of at least 32 characters'] })
    await verify(after, token)
    const fresh = await givenSuperAdmin(after, (await resetPassword(after.stores, 'root')) ?? '')
    expect(decodeProtectedHeader(fresh.browser.token() ?? '').kid).not.toBe(decodeProtectedHeader(token).kid)
    await verify(after, fresh.browser.token() ?? '')
  })
})

describe('a lost password', () => {
  it('a lost password is replaced by an operator, which ends all sessions and tells every replica', async () => {
    const auth = await start()
    const { browser, username, user } = await givenUser(auth)
    const signals: string[] = []
    onTestFinished(auth.signal.subscribe('principal-changed', ({ userId }) => void signals.push(userId)))
    const password = await resetPassword(auth.stores, username.toUpperCase())
    await expect.poll(() => signals).toContain(user._id)
    const login = (given: string) => openBrowser(auth).call(authRoutes.login, { identifier: username, password: given })
    expect((await login(password ?? '')).status).toBe(200)
    expect((await login(adminPassword)).status).toBe(401)
    expect((await browser.call(authRoutes.refresh)).status).toBe(401)
    expect(await resetPassword(auth.stores, 'nobody-at-all')).toBeUndefined()
  })
})

describe('cookies', () => {
  it('cookies are Secure if the public URL uses https', async () => {
    const auth = await start({ publicUrl: 'https://chat.example.test' })
    const { password = '' } = { password: await resetPassword(auth.stores, 'root') }
    const answer = await openBrowser(auth).call(authRoutes.login, { identifier: 'root', password })
    const set = [answer.headers['set-cookie'] ?? []].flat()
    expect(set.find((line) => line.startsWith('parley_refresh='))).toMatch(
      /^parley_refresh=[\w-]{43}; Max-Age=2592000; Path=\/api\/auth; HttpOnly; SameSite=Strict; Secure$/,
    )
  })
})
