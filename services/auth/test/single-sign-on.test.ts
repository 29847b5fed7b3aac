import { authRoutes } from '@parley/contracts'
import { guestPrincipal } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chosen, fetchCode, givenUser, goodPassword, openBrowser, principalOf } from './browser.ts'
import { startAuthAlone } from './running-auth.ts'
import { givenAccount, type SignOn, signOn, start, startSignOn, userOf } from './signing-on.ts'

let on: SignOn
beforeAll(async () => {
  on = await startSignOn()
})
afterAll(() => on.stop())

const come = (sub: string, browser = openBrowser(on.auth), returnTo?: string) => signOn(on, browser, sub, returnTo)
const link = (browser: ReturnType<typeof openBrowser>, password: string) =>
  browser.call(authRoutes.linkOAuth, { password })
const identitiesOf = (userId: string) =>
  on.auth.sql('select issuer, subject from identities where user_id = $1', [userId])

describe('single sign-on', () => {
  it('single sign-on is offered under its name only if there is a provider', async () => {
    const told = async (auth: SignOn['auth']) => (await openBrowser(auth).call(authRoutes.config)).body
    expect(await told(on.auth)).toMatchObject({ oauth: { enabled: true, label: 'Sign in with the test' } })
    const without = await startAuthAlone()
    expect(await told(without)).toMatchObject({ oauth: { enabled: false, label: null } })
    expect((await openBrowser(without).call(authRoutes.startOAuth)).status).toBe(404)
    await without.stop()
  })

  it('a sign-on goes to the provider with PKCE, state and nonce, and is bound to its browser by a cookie', async () => {
    const browser = openBrowser(on.auth)
    const answer = await browser.call(authRoutes.startOAuth)
    const { searchParams, origin } = new URL((answer.body as { url: string }).url)
    expect(origin).toBe(on.provider.issuer)
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ client_id: 'parley', response_type: 'code', scope: 'openid email profile' },
      ...{ redirect_uri: 'http://localhost:8080/auth/callback', code_challenge_method: 'S256' },
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(answer.headers['set-cookie']).toMatch(
      /^parley_oauth_8080=[\w-]{43}; Max-Age=600; Path=\/api\/auth; HttpOnly; SameSite=Strict$/,
    )
  })

  it('a HEAD of the beginning of a sign-on begins none', async () => {
    const begun = () => on.auth.sql('select count(*)::int as count from oauth_requests')
    const before = await begun()
    const answer = await on.auth.api.as(guestPrincipal()).send('HEAD', '/api/auth/oauth/start')
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(answer.headers).not.toHaveProperty('set-cookie')
    expect(await begun()).toEqual(before)
  })

  it('the first sign-on creates an account without a password', async () => {
    const account = givenAccount(on.provider, { preferred_username: 'Jane_Doe-7' })
    const browser = openBrowser(on.auth)
    const answer = await come(account.sub, browser, '/c/1?x=2#end')
    expect(answer.body).toMatchObject({ emailVerificationRequired: false, returnTo: '/c/1?x=2#end' })
    const user = userOf(answer)
    expect(user).toMatchObject({
      ...{ username: 'Jane_Doe-7', email: account.email, emailVerified: true, authType: 'oauth' },
      ...{ hasPassword: false, isAdmin: false, isBanned: false },
    })
    expect(browser.cookie('refresh')).toBeDefined()
    const me = await browser.call(authRoutes.profile)
    expect(me.body).toMatchObject({ user: { _id: user._id } })
    expect(await identitiesOf(user._id)).toEqual([{ issuer: on.provider.issuer, subject: account.sub }])
    const byPassword = await openBrowser(on.auth).call(authRoutes.login, { identifier: 'Jane_Doe-7', password: 'x' })
    expect(byPassword.status).toBe(401)
  })

  it('an account created by a sign-on is published as a registration', async () => {
    const heard = await on.auth.listen()
    const { _id } = userOf(await come(givenAccount(on.provider).sub))
    const mine = () => heard.filter(({ key }) => key === _id).map(({ type }) => type)
    await expect.poll(mine).toEqual(['auth.user-registered'])
  })

  it('a later sign-on finds the account by issuer and subject, whatever the name and address', async () => {
    const account = givenAccount(on.provider)
    const first = userOf(await come(account.sub))
    on.provider.know({ ...account, email: 'another@example.test', preferred_username: 'another' })
    expect(userOf(await come(account.sub))).toMatchObject({ _id: first._id, email: account.email })
  })

  it('sign-ons of two people with one name create two accounts', async () => {
    const [one, other] = [1, 2].map(() => givenAccount(on.provider, { preferred_username: 'same.name' }))
    const names = [userOf(await come(one?.sub ?? '')), userOf(await come(other?.sub ?? ''))].map(
      (user) => user.username,
    )
    expect(names).toEqual(['same-name', expect.stringMatching(/^same-name-[a-z0-9]{1,4}$/)])
  })

  it('concurrent first sign-ons of one person create one account', async () => {
    const account = givenAccount(on.provider)
    const answers = await Promise.all(Array.from({ length: 8 }, () => come(account.sub)))
    expect(new Set(answers.map((answer) => userOf(answer)._id)).size).toBe(1)
    expect(await on.auth.sql('select id from users where email = $1', [account.email])).toHaveLength(1)
  })

  it('of many people with one name who sign on concurrently one gets it', async () => {
    const strangers = Array.from({ length: 8 }, () => givenAccount(on.provider, { preferred_username: 'coveted' }))
    const users = (await Promise.all(strangers.map(({ sub }) => come(sub)))).map(userOf)
    expect(new Set(users.map(({ username }) => username.toLowerCase())).size).toBe(8)
  })

  it('sign-ons can run in several tabs', async () => {
    const { sub } = givenAccount(on.provider)
    const browser = openBrowser(on.auth)
    const [first, second] = [await start(browser, '/first'), await start(browser, '/second')]
    for (const [url, returnTo] of [
      [second, '/second'],
      [first, '/first'],
    ] as const) {
      const answer = await browser.call(authRoutes.finishOAuth, await on.provider.visit(url, sub))
      expect(answer).toMatchObject({ status: 200, body: { returnTo } })
    }
  })

  it('a sign-on can end on another replica than it started on', async () => {
    const replica = await on.replica()
    const { sub } = givenAccount(on.provider)
    const here = openBrowser(on.auth)
    const back = await on.provider.visit(await start(here), sub)
    const there = openBrowser(replica)
    for (const [name, value] of here.cookies) there.cookies.set(name, value)
    expect((await there.call(authRoutes.finishOAuth, back)).status).toBe(200)
    await replica.stop()
  })

  it('a sign-on signs a banned user in, who is told about the ban', async () => {
    const { sub } = givenAccount(on.provider)
    const { _id } = userOf(await come(sub))
    await on.auth.sql('update users set banned_at = now() where id = $1', [_id])
    expect(userOf(await come(sub))).toMatchObject({ _id, isBanned: true })
  })

  it.each([undefined, false, 'true', 1])(
    'a sign-on requires the mailed code if the provider says %j about the address',
    async (email_verified) => {
      const account = givenAccount(on.provider, { email_verified })
      const browser = openBrowser(on.auth)
      const answer = await come(account.sub, browser, '/profile')
      const username = account.preferred_username
      expect(answer.body).toEqual({
        ...{ user: { username, email: account.email }, emailVerificationRequired: true, returnTo: '/profile' },
      })
      expect(browser.cookie('refresh')).toBeUndefined()
      // Nor the next time.
      const again = openBrowser(on.auth)
      expect((await come(account.sub, again)).body).toMatchObject({ emailVerificationRequired: true })
      const code = await fetchCode(on.auth, username)
      expect((await again.call(authRoutes.verifyEmail, { username, code })).status).toBe(200)
      expect(userOf(await come(account.sub))).toMatchObject({ emailVerified: true })
    },
  )

  it.each([undefined, '', 'no address', 'a@b\r\nBcc: c@d.test'])(
    'a sign-on with the address %j is refused with a clear message',
    async (email) => {
      const { sub } = givenAccount(on.provider)
      on.provider.know({ sub, ...(email !== undefined && { email }), email_verified: true })
      const answer = await come(sub)
      expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('valid email address') } })
    },
  )

  it('a sign-on creates no account while single sign-on is closed to new users, and signs known users in', async () => {
    const known = givenAccount(on.provider)
    await come(known.sub)
    await on.configure({ registration: { oauth: false } })
    const stranger = givenAccount(on.provider)
    const answer = await come(stranger.sub)
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'registration_disabled', error: 'Registration is currently disabled by the administrator.' },
    })
    expect(await on.auth.sql('select id from users where email = $1', [stranger.email])).toEqual([])
    expect((await come(known.sub)).status).toBe(200)
    await on.configure({ registration: { oauth: true } })
    expect((await come(stranger.sub)).status).toBe(200)
  })

  it('a sign-on does not depend on the switch for local registration', async () => {
    await on.configure({ registration: { local: false } })
    expect((await come(givenAccount(on.provider).sub)).status).toBe(200)
    await on.configure({ registration: { local: true } })
  })
})

describe('an address that has an account', () => {
  it.each([true, false])(
    'the address of an account is not accepted as proof at a sign-on, although the provider says verified: %j',
    async (email_verified) => {
      const local = await givenUser(on.auth)
      const { sub } = givenAccount(on.provider, { email: local.email.toUpperCase(), email_verified })
      const browser = openBrowser(on.auth)
      const answer = await come(sub, browser)
      expect(answer).toMatchObject({
        status: 409,
        body: { code: 'email_taken', error: expect.stringContaining('password') },
      })
      expect(browser.cookie('refresh')).toBeUndefined()
      expect(await identitiesOf(local.user._id)).toEqual([])
    },
  )

  it('an identity is linked with the password of the account, and then both ways sign in', async () => {
    const local = await givenUser(on.auth)
    const { sub } = givenAccount(on.provider, { email: local.email })
    const browser = openBrowser(on.auth)
    await come(sub, browser, '/c/9')
    const linked = await link(browser, goodPassword)
    expect(linked.body).toMatchObject({ returnTo: '/c/9' })
    const { _id } = local.user
    expect(userOf(linked)).toMatchObject({ _id, authType: 'local', hasPassword: true })
    expect(userOf(await come(sub))).toMatchObject({ _id })
    const login = { identifier: local.username, password: goodPassword }
    expect((await openBrowser(on.auth).call(authRoutes.login, login)).status).toBe(200)
  })

  it('an identity can be linked after registration was switched off', async () => {
    const local = await givenUser(on.auth)
    const { sub } = givenAccount(on.provider, { email: local.email })
    await on.configure({ registration: { oauth: false } })
    const browser = openBrowser(on.auth)
    expect((await come(sub, browser)).status).toBe(409)
    expect((await link(browser, goodPassword)).status).toBe(200)
    await on.configure({ registration: { oauth: true } })
  })

  it('linking an identity accepts as few wrong passwords as a login', async () => {
    const local = await givenUser(on.auth)
    const { sub } = givenAccount(on.provider, { email: local.email })
    const browser = openBrowser(on.auth)
    await come(sub, browser)
    const answers = []
    for (let n = 0; n < 11; n += 1) answers.push(await link(browser, 'not the password'))
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429])
    expect(answers[0]?.body).toMatchObject({ error: 'Login failed. Please check your credentials and try again.' })
    expect(Number(answers[10]?.headers['retry-after'])).toBeGreaterThan(3_000)
    expect(await identitiesOf(local.user._id)).toEqual([])
  })

  it('an identity can be linked only in the browser of the sign-on, within 10 minutes, and once', async () => {
    const local = await givenUser(on.auth)
    const { sub } = givenAccount(on.provider, { email: local.email })
    const browser = openBrowser(on.auth)
    await come(sub, browser)
    expect((await link(openBrowser(on.auth), goodPassword)).status).toBe(400)
    await on.auth.sql(`update oauth_links set expires_at = expires_at - interval '601 seconds'`)
    expect((await link(browser, goodPassword)).status).toBe(400)
    await come(sub, browser)
    expect((await link(browser, goodPassword)).status).toBe(200)
    expect((await link(browser, goodPassword)).status).toBe(400)
  })

  it('an identity is linked to one account, although two browsers link it concurrently', async () => {
    const local = await givenUser(on.auth)
    const { sub } = givenAccount(on.provider, { email: local.email })
    const browsers = [openBrowser(on.auth), openBrowser(on.auth)]
    for (const browser of browsers) await come(sub, browser)
    const answers = await Promise.all(browsers.map((browser) => link(browser, goodPassword)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await identitiesOf(local.user._id)).toHaveLength(1)
  })

  it('linking to an account whose address was never confirmed requires its password, and the provider then confirms the address', async () => {
    const squatter = openBrowser(on.auth)
    const choice = chosen()
    await squatter.call(authRoutes.register, choice)
    const code = await fetchCode(on.auth, choice.username)
    const { sub } = givenAccount(on.provider, { email: choice.email })
    const owner = openBrowser(on.auth)
    expect((await come(sub, owner)).status).toBe(409)
    expect((await link(owner, 'a guess of the owner')).status).toBe(401)
    const signals: string[] = []
    const forget = on.auth.signal.subscribe('principal-changed', ({ userId }) => signals.push(userId))
    const linked = await link(owner, choice.password)
    expect(userOf(linked)).toMatchObject({ emailVerified: true })
    await expect.poll(() => signals).toEqual([userOf(linked)?._id])
    forget()
    // The browser that registered waits for nothing any more.
    expect((await squatter.call(authRoutes.verifyEmail, { username: choice.username, code })).status).toBe(401)
    const { token } = linked.body as { token: string }
    expect(await principalOf(on.auth, token)).toMatchObject({ rights: { emailVerified: true } })
  })

  it('an address that the provider has not confirmed stays unconfirmed', async () => {
    const choice = chosen()
    await openBrowser(on.auth).call(authRoutes.register, choice)
    const { sub } = givenAccount(on.provider, { email: choice.email, email_verified: false })
    const browser = openBrowser(on.auth)
    await come(sub, browser, '/x')
    const linked = await link(browser, choice.password)
    expect(linked.body).toMatchObject({ emailVerificationRequired: true, returnTo: '/x' })
    expect(browser.cookie('refresh')).toBeUndefined()
  })
})
