import { authRoutes } from '@parley/contracts'
import { guestPrincipal } from '@parley/testing'
import type { Forgery } from '@parley/testing/oidc-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, givenUser, openBrowser } from './browser.ts'
import { startAuthAlone } from './running-auth.ts'
import { givenAccount, type SignOn, signOn, start, startSignOn, userOf, variablesOf } from './signing-on.ts'

let on: SignOn
/** auth without a provider. */
let without: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  ;[on, without] = await Promise.all([startSignOn(), startAuthAlone()])
})
afterAll(() => Promise.all([on.stop(), without.stop()]))

const texts = {
  start: 'Failed to initiate OAuth login. Please try again.',
  code: 'No authorization code received from authentication server.',
  state: 'Missing state parameter (required for security).',
  foreign: 'Invalid state parameter, possible CSRF attack detected.',
  exchange: 'Authentication failed during token exchange.',
}
const finish = (browser: Browser, body: unknown) => browser.call(authRoutes.finishOAuth, body)
const refusal = (status: number, error: string) => ({ status, body: { error } })
/** A browser that is on its way, and what it would come back with. */
async function underWay(browser = openBrowser(on.auth)) {
  const account = givenAccount(on.provider)
  const url = await start(browser)
  return { browser, account, url, back: await on.provider.visit(url, account.sub) }
}
const sessionOf = (browser: Browser) => browser.cookie('refresh') ?? browser.token()

describe('the callback', () => {
  it.each([
    [undefined, texts.code],
    [{}, texts.code],
    [{ state: 'x' }, texts.code],
    [{ code: '', state: 'x' }, texts.code],
    [{ code: 'x' }, texts.state],
    [{ code: 'x', state: '' }, texts.state],
    [{ code: 'x', state: 'x' }, texts.foreign],
  ])('the end of a sign-on with %j says what is wrong, with and without a provider', async (body, error) => {
    for (const auth of [on.auth, without])
      expect(await finish(openBrowser(auth), body)).toMatchObject(refusal(400, error))
  })

  it('the end of a sign-on that the provider refused has no code', async () => {
    const browser = openBrowser(on.auth)
    const { error, state, iss } = await on.provider.visit(await start(browser), 'nobody')
    expect(error).toBe('access_denied')
    expect(await finish(browser, { state, iss })).toMatchObject(refusal(400, texts.code))
  })

  it('a sign-on ends only in the browser that started it: an attacker cannot sign a victim in as themselves', async () => {
    const attacker = await underWay()
    const victims = [openBrowser(on.auth), (await underWay()).browser]
    for (const victim of victims) {
      expect(await finish(victim, attacker.back)).toMatchObject(refusal(400, texts.foreign))
      expect(sessionOf(victim)).toBeUndefined()
    }
    // Nor is anybody's sign-on spoiled by that.
    expect((await finish(attacker.browser, attacker.back)).status).toBe(200)
  })

  it('a state of a sign-on is accepted once, even concurrently', async () => {
    const { browser, back } = await underWay()
    const answers = await Promise.all(Array.from({ length: 6 }, () => finish(browser.copy(), back)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
    expect(await finish(browser, back)).toMatchObject(refusal(400, texts.foreign))
  })

  it('a sign-on expires after 10 minutes', async () => {
    const { browser, back } = await underWay()
    await on.auth.sql(`update oauth_requests set expires_at = expires_at - interval '601 seconds'`)
    expect(await finish(browser, back)).toMatchObject(refusal(400, texts.foreign))
  })

  it('a sign-on can end without an issuer in the response, and with a wrong one the code is sent to nobody', async () => {
    const { browser, back } = await underWay()
    expect((await finish(browser, { code: back.code, state: back.state })).status).toBe(200)
    const mixedUp = await underWay()
    const exchanges = () => on.provider.asked.filter((path) => path === '/token').length
    const before = exchanges()
    const answer = await finish(mixedUp.browser, { ...mixedUp.back, iss: 'https://another.test' })
    expect(answer).toMatchObject(refusal(401, texts.exchange))
    expect(exchanges()).toBe(before)
  })

  it('a sign-on with a used code is refused', async () => {
    const { browser, back } = await underWay()
    expect((await finish(browser, back)).status).toBe(200)
    const again = openBrowser(on.auth)
    const { searchParams } = new URL(await start(again))
    const replay = { ...back, state: searchParams.get('state') }
    expect(await finish(again, replay)).toMatchObject(refusal(401, texts.exchange))
    expect(sessionOf(again)).toBeUndefined()
  })

  it('a sign-on with a code stolen from another user is refused without that user’s verifier', async () => {
    const victim = await underWay()
    const thief = await underWay()
    const answer = await finish(thief.browser, { ...thief.back, code: victim.back.code })
    expect(answer).toMatchObject(refusal(401, texts.exchange))
    expect(sessionOf(thief.browser)).toBeUndefined()
  })
})

describe('a manipulated request', () => {
  const tampered = async (change: (parameters: URLSearchParams) => void) => {
    const browser = openBrowser(on.auth)
    const url = new URL(await start(browser))
    change(url.searchParams)
    const { code, state, iss } = await on.provider.visit(url.href, givenAccount(on.provider).sub)
    return await finish(browser, { code, state, iss })
  }

  it('a request to the provider without PKCE brings no code', async () => {
    const answer = await tampered((parameters) => {
      parameters.delete('code_challenge')
      parameters.delete('code_challenge_method')
    })
    expect(answer).toMatchObject(refusal(400, texts.code))
  })

  it('a request to the provider with the attacker’s challenge fails at the exchange', async () => {
    const answer = await tampered((parameters) => parameters.set('code_challenge', 'a'.repeat(43)))
    expect(answer).toMatchObject(refusal(401, texts.exchange))
  })

  it.each(['another', undefined])('a request to the provider with the nonce %j fails', async (nonce) => {
    const answer = await tampered((parameters) => {
      parameters.delete('nonce')
      if (nonce !== undefined) parameters.set('nonce', nonce)
    })
    expect(answer).toMatchObject(refusal(401, texts.exchange))
  })

  it.each([
    'http://localhost:8080@evil.test/auth/callback',
    'http://localhost:8080.evil.test/auth/callback',
    'http://localhost:8080/auth/callback/../../evil',
    'http://localhost:8080/auth/callback?x=1',
    'http://localhost:8080/auth/callback#x',
    'https://evil.test/',
  ])('a request with the redirect URI %s is refused by the provider', async (address) => {
    await expect(tampered((parameters) => parameters.set('redirect_uri', address))).rejects.toThrow(/answered 400/)
  })

  it('the provider redirects to the configured address, whatever host a request names', async () => {
    const headers = {
      host: 'evil.test',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'https',
      origin: 'http://evil.test',
    }
    const answer = await on.auth.api.as(guestPrincipal()).call(authRoutes.startOAuth, { headers })
    expect(new URL(answer.body.url).searchParams.get('redirect_uri')).toBe('http://localhost:8080/auth/callback')
    expect(answer.text).not.toContain('evil')
  })
})

describe('a provider', () => {
  it.each<Forgery>(['nonce', 'aud', 'iss', 'exp', 'signature'])(
    'a provider whose tokens have a wrong %s is not trusted',
    async (what) => {
      const { browser, account, back } = await underWay()
      on.provider.forge(what)
      const answer = await finish(browser, back)
      on.provider.forge(undefined)
      expect(answer).toMatchObject(refusal(401, texts.exchange))
      expect(sessionOf(browser)).toBeUndefined()
      expect(await on.auth.sql('select id from users where email = $1', [account.email])).toEqual([])
    },
  )

  it('a provider can rotate its keys at any time', async () => {
    const { sub } = givenAccount(on.provider)
    const first = userOf(await signOn(on, openBrowser(on.auth), sub))
    for (let times = 0; times < 2; times += 1) {
      on.provider.changeKeys()
      expect(userOf(await signOn(on, openBrowser(on.auth), sub))).toMatchObject({ _id: first._id })
    }
  })

  it('a sign-on during which the provider becomes unavailable is 503, and a later one succeeds', async () => {
    const { browser, account, back } = await underWay()
    on.provider.setDown(true)
    const answer = await finish(browser, back)
    on.provider.setDown(false)
    expect(answer).toMatchObject(refusal(503, texts.exchange))
    expect(answer.headers['retry-after']).toBe('5')
    expect((await signOn(on, browser, account.sub)).status).toBe(200)
  })

  it('an unavailable provider does not prevent auth from starting or working, and is retried', async () => {
    on.provider.setDown(true)
    const replica = await on.replica()
    const browser = openBrowser(replica)
    expect(await browser.call(authRoutes.startOAuth)).toMatchObject(refusal(503, texts.start))
    expect((await browser.call(authRoutes.config)).body).toMatchObject({ oauth: { enabled: true } })
    on.provider.setDown(false)
    expect((await browser.call(authRoutes.startOAuth)).status).toBe(200)
    await replica.stop()
  })

  it('a provider whose metadata cannot be refreshed after an hour is asked once a minute, and used meanwhile', async () => {
    let later = 0
    const auth = await startAuthAlone({
      singleSignOn: variablesOf(on.provider.issuer),
      now: () => new Date(Date.now() + later),
    })
    const browser = openBrowser(auth)
    const asked = () => on.provider.asked.filter((path) => path.includes('.well-known')).length
    await start(browser)
    const before = asked()
    on.provider.setDown(true)
    later = 3_600_000
    for (let times = 0; times < 3; times += 1) await start(browser)
    expect(asked()).toBe(before + 1)
    later += 60_000
    for (let times = 0; times < 3; times += 1) await start(browser)
    expect(asked()).toBe(before + 2)
    on.provider.setDown(false)
    await auth.stop()
  })

  it('a provider with an issuer other than the configured one is not used', async () => {
    const auth = await startAuthAlone({
      singleSignOn: variablesOf(on.provider.issuer.replace('127.0.0.1', 'localhost')),
    })
    expect(await openBrowser(auth).call(authRoutes.startOAuth)).toMatchObject(refusal(503, texts.start))
    await auth.stop()
  })

  it.each([{ postOnly: true }, { claimsInIdToken: true }])('a provider with %j is supported', async (parts) => {
    const other = await startSignOn(parts)
    const account = givenAccount(other.provider)
    expect(userOf(await signOn(other, openBrowser(other.auth), account.sub))).toMatchObject({ email: account.email })
    await other.stop()
  })
})

describe('stored data', () => {
  it('the data of a sign-on is deleted once it is over, and not before', async () => {
    const late = await underWay()
    const { email } = await givenUser(on.auth)
    await signOn(on, openBrowser(on.auth), givenAccount(on.provider, { email }).sub)
    for (const table of ['oauth_requests', 'oauth_links']) {
      await on.auth.sql(`update ${table} set expires_at = expires_at - interval '601 seconds'`)
    }
    const present = await underWay()
    await on.auth.stores.sweeps.sweep()
    expect(await on.auth.sql('select 1 from oauth_links')).toEqual([])
    expect(await on.auth.sql('select 1 from oauth_requests')).toHaveLength(1)
    expect((await finish(late.browser, late.back)).status).toBe(400)
    expect((await finish(present.browser, present.back)).status).toBe(200)
  })

  it('the data of a sign-on reveals neither state, verifier, nonce nor browser', async () => {
    const { browser, url } = await underWay()
    const { searchParams } = new URL(url)
    const rows = await on.auth.sql<Record<string, Buffer>>(
      'select state_hash, browser_hash, sealed from oauth_requests',
    )
    const kept = rows.flatMap((row) => Object.values(row).map((value) => value.toString('latin1'))).join('\n')
    for (const secret of [searchParams.get('state'), searchParams.get('nonce'), browser.cookie('oauth'), 'verifier']) {
      expect(kept).not.toContain(secret)
    }
  })

  it('a pending link is only valid for its own account: the browser of another account needs the password of that one', async () => {
    const [mine, victim] = [await givenUser(on.auth), await givenUser(on.auth, { password: 'of the victim alone' })]
    const { sub } = givenAccount(on.provider, { email: victim.email })
    const browser = openBrowser(on.auth)
    await signOn(on, browser, sub)
    const answer = await browser.call(authRoutes.linkOAuth, { password: mine.password })
    expect(answer.status).toBe(401)
    expect(sessionOf(browser)).toBeUndefined()
  })
})

it.each([
  '//evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  'javascript:alert(1)',
  'https:evil.test',
  'https://evil.test',
  '/%2f/evil.test',
  '/%5cevil.test',
  '/%255cevil.test',
  '/.//evil.test',
  '/..//evil.test',
  '/\t/evil.test',
  '/%09/evil.test',
  ' //evil.test',
  '/\n/evil.test',
  'data:text/html,x',
  '',
])('a sign-on that should return to %j leads to the start page', async (wanted) => {
  const answer = await signOn(on, openBrowser(on.auth), givenAccount(on.provider).sub, wanted)
  expect(answer.body).toMatchObject({ returnTo: '/' })
})
