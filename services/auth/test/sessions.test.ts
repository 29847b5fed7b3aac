import { authInternalRoutes, authRoutes } from '@parley/contracts'
import { servicePrincipal } from '@parley/testing'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, givenUser, goodPassword, openBrowser, principalOf, type TokenAnswer } from './browser.ts'
import { startAuthAlone } from './running-auth.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  auth = await startAuthAlone()
})
afterAll(() => auth.stop())

const refresh = (browser: Browser) => browser.call(authRoutes.refresh)
const isActive = async (browser: Browser): Promise<boolean> => (await browser.principal()).kind === 'user'
/** Lets every rotation so far be older than the grace for two tabs. */
const passGrace = () => auth.sql(`update refresh_tokens set rotated_at = rotated_at - interval '11 seconds'`)

describe('refresh', () => {
  it('a refresh returns a new access token of the same session and rotates the cookie', async () => {
    const { browser, user } = await givenUser(auth)
    const before = { token: browser.token() ?? '', cookie: browser.cookie('refresh') }
    const answer = await refresh(browser)
    expect(answer).toMatchObject({ status: 200, body: { user: { _id: user._id } } })
    expect(browser.cookie('refresh')).not.toBe(before.cookie)
    expect(decodeJwt(browser.token() ?? '').sid).toBe(decodeJwt(before.token).sid)
    expect((await refresh(browser)).status).toBe(200)
  })

  it('two tabs that refresh concurrently get the same successor', async () => {
    const { browser } = await givenUser(auth)
    const tabs = [browser.copy(), browser.copy(), browser.copy()]
    const answers = await Promise.all(tabs.map(refresh))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(tabs.map((tab) => tab.cookie('refresh'))).size).toBe(1)
    expect((await refresh(tabs[0] as Browser)).status).toBe(200)
  })

  it('a tab that missed several refreshes gets the newest successor', async () => {
    const { browser } = await givenUser(auth)
    const late = browser.copy()
    for (let count = 0; count < 3; count += 1) expect((await refresh(browser)).status).toBe(200)
    expect((await refresh(late)).status).toBe(200)
    expect(late.cookie('refresh')).toBe(browser.cookie('refresh'))
    await passGrace()
    expect((await refresh(late)).status).toBe(200)
  })

  it('a tab that missed more refreshes than browsers make in ten seconds is refused, and the session stays', async () => {
    const { browser } = await givenUser(auth)
    const late = browser.copy()
    for (let count = 0; count < 25; count += 1) expect((await refresh(browser)).status).toBe(200)
    expect(await refresh(late)).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect((await refresh(browser)).status).toBe(200)
  })

  it('a session that is refreshed without pause is refused until its window ends, and other sessions are not', async () => {
    const { browser, username } = await givenUser(auth)
    const other = openBrowser(auth)
    await other.call(authRoutes.login, { identifier: username, password: goodPassword })
    await refresh(browser)
    const key = `refresh:${decodeJwt(browser.token() ?? '').sid}`
    await auth.sql('update sign_in_tries set used = 119 where key = $1', [key])
    expect((await refresh(browser)).status).toBe(200)
    const tab = browser.copy()
    expect(await refresh(tab)).toMatchObject({
      status: 429,
      body: { code: 'rate_limited' },
      headers: { 'ratelimit-limit': '120', 'retry-after': expect.stringMatching(/^\d+$/) },
    })
    expect((await refresh(other)).status).toBe(200)
    await auth.sql('update sign_in_tries set resets_at = now() where key = $1', [key])
    expect([(await refresh(browser)).status, (await refresh(tab)).status]).toEqual([200, 200])
  })

  it.each([
    ['an IPv4 address', '4:203.0.113.5', '4:203.0.113.6', '4:203.0.113.5', 3_000],
    ['the /64s of a /48', '6:2001:db8:5:1', '6:2001:db8:6:1', '6/48:2001:db8:5', 24_000],
  ])(
    'refreshes from %s are limited, also those with unknown tokens',
    async (_what, network, elsewhere, counted, most) => {
      const { username } = await givenUser(auth)
      const [inside, outside, guesser] = [
        openBrowser(auth, network),
        openBrowser(auth, elsewhere),
        openBrowser(auth, network),
      ]
      for (const browser of [inside, outside])
        await browser.call(authRoutes.login, { identifier: username, password: goodPassword })
      const guess = () => {
        guesser.cookies.set('parley_refresh_8080', 'made-up')
        return refresh(guesser)
      }
      const full = [`refresh-network:${counted}`, most - 1]
      await auth.sql("insert into sign_in_tries values ($1, $2, now() + interval '10 minutes')", full)
      const answers = [await guess(), await guess(), await refresh(inside), await refresh(outside)]
      expect(answers.map(({ status }) => status)).toEqual([401, 429, 429, 200])
    },
  )

  it('a rotated refresh token that is used again ends the session', async () => {
    const { browser } = await givenUser(auth)
    const thief = browser.copy()
    await refresh(browser)
    await passGrace()
    const stolen = await refresh(thief)
    expect(stolen).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect(thief.cookie('refresh')).toBeUndefined()
    expect(await isActive(browser)).toBe(false)
    expect((await refresh(browser)).status).toBe(401)
  })

  it('a rotated refresh token that is used again ends the session of a banned user, too', async () => {
    const { browser, user } = await givenUser(auth)
    const thief = browser.copy()
    await refresh(browser)
    await passGrace()
    await auth.sql('update users set banned_at = now() where id = $1', [user._id])
    expect((await refresh(thief)).status).toBe(401)
    await auth.sql('update users set banned_at = null where id = $1', [user._id])
    expect((await refresh(browser)).status).toBe(401)
  })

  it('a refresh without a token, with a made-up one and with an access token is 401', async () => {
    const { browser } = await givenUser(auth)
    const name = [...browser.cookies.keys()].find((key) => key.startsWith('parley_refresh')) as string
    for (const value of ['', 'made-up', browser.token() ?? '']) {
      browser.cookies.set(name, value)
      expect(await refresh(browser)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    }
  })

  it('a session ends 30 days after the sign-in, however often its token was rotated', async () => {
    const { browser, user } = await givenUser(auth)
    await refresh(browser)
    const [row] = await auth.sql<{ days: number }>(
      `select extract(epoch from expires_at - created_at)::float8 / 86400 as days from sessions where user_id = $1`,
      [user._id],
    )
    expect(row?.days).toBeCloseTo(30, 5)
    await auth.sql(`update sessions set expires_at = now() where user_id = $1`, [user._id])
    expect((await refresh(browser)).status).toBe(401)
    expect(await isActive(browser)).toBe(false)
  })

  it('refresh tokens are not stored in a usable form', async () => {
    const { browser, user } = await givenUser(auth)
    const dump = JSON.stringify(
      await auth.sql(
        `select s.*, encode(t.hash, 'base64') as hash, encode(t.hash, 'escape') as raw from sessions s
         join refresh_tokens t on t.session_id = s.id where s.user_id = $1`,
        [user._id],
      ),
    )
    expect(dump).toContain(user._id)
    expect(dump).not.toContain(browser.cookie('refresh'))
  })
})

describe('sign out', () => {
  it('signing out ends the session and tells every replica', async () => {
    const { browser, user } = await givenUser(auth)
    const told: string[] = []
    const forget = auth.signal.subscribe('principal-changed', ({ userId }) => told.push(userId))
    expect((await browser.call(authRoutes.logout)).status).toBe(204)
    await expect.poll(() => told).toContain(user._id)
    forget()
    expect(browser.cookie('refresh')).toBeUndefined()
    expect(await isActive(browser)).toBe(false)
  })

  it('signing out works with only the cookie, with only the token, and with neither', async () => {
    const first = await givenUser(auth)
    const cookieOnly = first.browser.copy()
    expect((await cookieOnly.call(authRoutes.logout)).status).toBe(204)
    expect(await isActive(first.browser)).toBe(false)
    const second = await givenUser(auth)
    const tokenOnly = openBrowser(auth)
    tokenOnly.useToken(second.browser.token())
    expect((await tokenOnly.call(authRoutes.logout)).status).toBe(204)
    expect((await refresh(second.browser)).status).toBe(401)
    expect((await openBrowser(auth).call(authRoutes.logout)).status).toBe(204)
    const third = await givenUser(auth)
    const overtaken = third.browser.copy()
    await refresh(third.browser)
    expect((await overtaken.call(authRoutes.logout)).status).toBe(204)
    expect(await isActive(third.browser)).toBe(false)
  })
})

describe('devices', () => {
  it('the devices of a user are listed and ended one by one', async () => {
    const { username, browser } = await givenUser(auth)
    const other = openBrowser(auth, '4:198.51.100.7')
    await other.call(authRoutes.login, { identifier: username, password: goodPassword })
    const { sessions } = (await browser.call(authRoutes.sessions)).body
    expect(sessions.map(({ current }) => current).sort()).toEqual([false, true])
    const theirs = sessions.find(({ current }) => !current)
    expect(theirs).toMatchObject({ network: '198.51.100.7', userAgent: 'test browser' })
    const id = theirs?.id ?? ''
    expect((await browser.call(authRoutes.endSession, undefined, { params: { id } })).status).toBe(204)
    expect(await isActive(other)).toBe(false)
    expect((await refresh(other)).status).toBe(401)
    expect(await isActive(browser)).toBe(true)
  })

  it('the devices of another user are 404', async () => {
    const mine = await givenUser(auth)
    const theirs = await givenUser(auth)
    const [session] = (await theirs.browser.call(authRoutes.sessions)).body.sessions
    const end = (id: string) => mine.browser.call(authRoutes.endSession, undefined, { params: { id } })
    const foreign = await end(session?.id ?? '')
    const unknown = await end('0'.repeat(32))
    expect([foreign.status, unknown.status]).toEqual([404, 404])
    expect(await isActive(theirs.browser)).toBe(true)
  })
})

describe('principals', () => {
  it('a principal is inactive for a session of another user', async () => {
    const mine = await givenUser(auth)
    const theirs = await givenUser(auth)
    const sessionId = String(decodeJwt(mine.browser.token() ?? '').sid)
    const asked = await auth.api
      .as(servicePrincipal('gateway'))
      .call(authInternalRoutes.principal, { params: { userId: theirs.user._id, sessionId } })
    expect(asked.body).toEqual({
      active: false,
      rights: { isAdmin: false, isSuperAdmin: false, isBanned: false, emailVerified: false },
    })
  })

  it('the rights of the owner of an API key can be requested without a session', async () => {
    const { user } = await givenUser(auth)
    const rights = (id: string) =>
      auth.api.as(servicePrincipal('gateway')).call(authInternalRoutes.rights, { params: { id } })
    expect((await rights(user._id)).body.rights).toMatchObject({ isAdmin: false, isBanned: false })
    expect((await rights('nobody')).status).toBe(404)
  })

  it('principals are returned only to services', async () => {
    const { browser } = await givenUser(auth)
    const caller = auth.api.as(await principalOf(auth, browser.token() ?? ''))
    for (const route of Object.values(authInternalRoutes)) {
      const params = { userId: 'a', sessionId: 'b', id: 'c' }
      expect((await caller.call(route, { params })).status).toBe(401)
      expect((await auth.api.call(route, { params })).status).toBe(401)
    }
  })
})

describe('profile', () => {
  it('a change of the profile changes the given fields and keeps the others', async () => {
    const { browser, user } = await givenUser(auth)
    await browser.call(authRoutes.updateProfile, { preferences: { theme: 'delglight' } })
    const answer = await browser.call(authRoutes.updateProfile, { displayName: 'Ann', preferences: { locale: 'de' } })
    expect((answer.body as TokenAnswer).user).toMatchObject({
      username: user.username,
      displayName: 'Ann',
      preferences: { theme: 'delglight', locale: 'de', showThinking: true },
    })
    expect((await browser.call(authRoutes.profile)).body).toEqual(answer.body)
  })

  it('a change of the profile to a taken name, or of fields that a user may not set, is refused', async () => {
    const { browser, user } = await givenUser(auth)
    const other = await givenUser(auth)
    const taken = await browser.call(authRoutes.updateProfile, { username: other.username.toUpperCase() })
    expect(taken).toMatchObject({ status: 409, body: { code: 'username_taken' } })
    for (const extra of [{ isAdmin: true }, { emailVerified: false }, { banned: false }, { preferences: { x: 1 } }]) {
      expect((await browser.call(authRoutes.updateProfile, extra)).status).toBe(400)
    }
    expect((await browser.call(authRoutes.profile)).body).toEqual({ user })
  })
})
