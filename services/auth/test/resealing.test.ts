import { createCipheriv, createDecipheriv, generateKeyPairSync, hkdfSync, randomBytes } from 'node:crypto'
import { authRoutes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { testLog as log, startServiceProcess, type TestDatabase, testDatabase } from '@parley/testing'
import { decodeProtectedHeader } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAuthStores } from '../src/store/index.ts'
import { chosen, fetchCode, givenUser, openBrowser } from './browser.ts'
import { type RunningAuth, startAuth } from './running-auth.ts'

const former = 'the one secret that all services had'
const present = 'a secret that is only the one of auth'

/** As versions with one secret for all services sealed a private signing key. */
const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'parley auth sealing', 32))
function sealBy(secret: string, plain: Buffer, kid: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce).setAAD(Buffer.from(kid))
  const text = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}
function opensBy(secret: string, sealed: Buffer, kid: string): boolean {
  const opening = createDecipheriv('aes-256-gcm', keyOf(secret), sealed.subarray(0, 12))
    .setAAD(Buffer.from(kid))
    .setAuthTag(sealed.subarray(12, 28))
  opening.update(sealed.subarray(28))
  try {
    opening.final()
    return true
  } catch {
    return false
  }
}

let database: TestDatabase
let running: RunningAuth[]
beforeEach(async () => {
  database = await testDatabase()
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((auth) => auth.stop()))
  await database.drop()
})

async function start(...secrets: [string, ...string[]]): Promise<RunningAuth> {
  const auth = await startAuth({ database, secrets })
  running.push(auth)
  return auth
}
async function stop(): Promise<void> {
  await Promise.all(running.splice(0).map((auth) => auth.stop()))
}

/** A store whose signing key was sealed by that secret. */
async function givenStore(
  secret: string,
): Promise<{ kid: string; sealed: () => Promise<Buffer>; close: () => Promise<void> }> {
  const stores = openAuthStores({ url: database.url, log })
  await stores.migrate()
  const kid = newId()
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const made = {
    kid,
    publicJwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256' },
    privateKey: sealBy(secret, privateKey.export({ format: 'der', type: 'pkcs8' }), kid),
  }
  const sealed = async () =>
    (
      await stores.signingKeys.ensure(
        () => made,
        () => true,
      )
    ).privateKey
  expect(opensBy(secret, await sealed(), kid)).toBe(true)
  return { kid, sealed, close: () => stores.close() }
}
const migrate = async (AUTH_SECRETS: string): Promise<void> => {
  const job = await startServiceProcess('auth', { POSTGRES_URL: database.url, AUTH_SECRETS }, ['migrate'])
  expect([await job.exit, job.output()]).toEqual([0, expect.stringContaining('the store is up to date')])
}

describe('data sealed with the former shared secret', () => {
  it('is resealed by migrate, so that the secret can be removed and the key continues to sign', async () => {
    const { kid, sealed, close } = await givenStore(former)
    await migrate(`${present},${former}`)
    const anew = await sealed()
    expect([opensBy(present, anew, kid), opensBy(former, anew, kid)]).toEqual([true, false])
    await migrate(`${present},${former}`)
    expect(await sealed()).toEqual(anew)
    await close()
    const { browser } = await givenUser(await start(present))
    expect(decodeProtectedHeader(browser.token() ?? '').kid).toBe(kid)
  })

  it('is resealed by a start', async () => {
    const { kid, sealed, close } = await givenStore(former)
    const { browser } = await givenUser(await start(present, former))
    expect(decodeProtectedHeader(browser.token() ?? '').kid).toBe(kid)
    expect(opensBy(present, await sealed(), kid)).toBe(true)
    await close()
  })

  it('is not changed by a migration that knows neither secret', async () => {
    const { kid, sealed, close } = await givenStore(former)
    await migrate('some other secret of 32 characters and more')
    expect(opensBy(former, await sealed(), kid)).toBe(true)
    await close()
  })
})

describe('after the secret was replaced by another, while the old one is known', () => {
  it('a code that was mailed before confirms the address', async () => {
    const before = await start(former)
    const [browser, choice] = [openBrowser(before), chosen()]
    await browser.call(authRoutes.register, choice)
    const code = await fetchCode(before, choice.username)
    await stop()
    const after = openBrowser(await start(present, former))
    for (const [name, value] of browser.cookies) after.cookies.set(name, value)
    expect((await after.call(authRoutes.verifyEmail, { username: choice.username, code })).status).toBe(200)
  })

  it('a browser that signed in before keeps its id, in a cookie sealed with the new secret', async () => {
    const { browser, username, password } = await givenUser(await start(former))
    const idOf = (note = ''): string => note.split('.')[0] ?? ''
    const note = browser.cookie('browser')
    await stop()
    const again = openBrowser(await start(present, former))
    for (const [name, value] of browser.cookies) again.cookies.set(name, value)
    expect((await again.call(authRoutes.login, { identifier: username, password })).status).toBe(200)
    expect([again.cookie('browser'), idOf(again.cookie('browser'))]).toEqual([
      expect.not.stringMatching(`^${note}$`),
      idOf(note),
    ])
    await stop()
    const later = openBrowser(await start(present))
    for (const [name, value] of again.cookies) later.cookies.set(name, value)
    expect((await later.call(authRoutes.login, { identifier: username, password })).status).toBe(200)
    expect(idOf(later.cookie('browser'))).toBe(idOf(note))
  })

  it('two tabs that refresh at once at replicas with the old and with the new secret both stay signed in', async () => {
    const [before, after] = [await start(former), await start(present, former)]
    const { browser } = await givenUser(before)
    const tabs = [openBrowser(before), openBrowser(after)]
    for (const tab of tabs) for (const [name, value] of browser.cookies) tab.cookies.set(name, value)
    for (let time = 0; time < 2; time += 1) {
      for (const tab of tabs) expect((await tab.call(authRoutes.refresh)).status).toBe(200)
    }
  })
})
