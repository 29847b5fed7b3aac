import { authInternalRoutes, authRoutes } from '@parley/contracts'
import { defaultPasswordCost, newId } from '@parley/kit'
import { servicePrincipal } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chosen, givenUser, goodPassword, openBrowser, type TokenAnswer } from './browser.ts'
import { startAuthAlone } from './running-auth.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  // As much work as in the product: other calls are answered in between.
  auth = await startAuthAlone({ passwordCost: defaultPasswordCost })
})
afterAll(() => auth.stop())

const signIn = (identifier: string, password: string, browser = openBrowser(auth)) =>
  browser.call(authRoutes.login, { identifier, password })

describe('sign in', () => {
  it.each(['identifier', 'username'])('a sign-in accepts a username as %s, in any case', async (field) => {
    const { username } = await givenUser(auth)
    const body = { [field]: username.toUpperCase(), password: goodPassword }
    const answer = await openBrowser(auth).call(authRoutes.login, body)
    expect(answer).toMatchObject({ status: 200, body: { user: { username }, emailVerificationRequired: false } })
  })

  it.each(['identifier', 'email'])('a sign-in accepts an address as %s, in any case', async (field) => {
    const { username, email } = await givenUser(auth)
    const body = { [field]: email.toUpperCase(), password: goodPassword }
    const answer = await openBrowser(auth).call(authRoutes.login, body)
    expect(answer).toMatchObject({ status: 200, body: { user: { username } } })
  })

  it('a sign-in returns the whole user and stores its time', async () => {
    const { username, email } = await givenUser(auth)
    const { user } = (await signIn(username, goodPassword)).body as TokenAnswer
    expect(user).toMatchObject({ email, displayName: null, isAdmin: false, isBanned: false, emailVerified: true })
    expect(user.preferences).toEqual({
      ...{ defaultModel: null, defaultImageModel: null, showThinking: true },
      ...{ autoSaveChats: true, theme: 'delgdark', colors: null, locale: null },
    })
    expect(user.lastLoginAt).not.toBeNull()
  })

  it('an unknown name and a wrong password get identical responses', async () => {
    const { username } = await givenUser(auth)
    const wrong = await signIn(username, 'not the password')
    const unknown = await signIn('nobody-here', 'not the password')
    expect(wrong.status).toBe(401)
    const text = (answer: typeof wrong) => answer.text.replace(/"requestId":"[^"]*"/, '')
    expect(text(unknown)).toBe(text(wrong))
    expect(wrong.body).toMatchObject({ error: 'Login failed. Please check your credentials and try again.' })
  })

  it('a sign-in to an unverified account asks for the code instead of signing in', async () => {
    const choice = chosen()
    await openBrowser(auth).call(authRoutes.register, choice)
    const browser = openBrowser(auth)
    const answer = await signIn(choice.username, choice.password, browser)
    expect(answer.body).toEqual({
      user: { username: choice.username, email: choice.email },
      emailVerificationRequired: true,
    })
    expect(browser.cookie('pending')).toBeDefined()
    expect(browser.cookie('refresh')).toBeUndefined()
  })

  it.each([
    { password: goodPassword },
    { identifier: 'a', username: 'a', password: goodPassword },
    { identifier: { $ne: null }, password: goodPassword },
    { identifier: 'a', password: { $ne: null } },
    { identifier: 'a', password: '' },
    { identifier: 'a', password: 'x'.repeat(1_025) },
  ])('a sign-in with the body %j is 400', async (body) => {
    expect((await openBrowser(auth).call(authRoutes.login, body)).status).toBe(400)
  })

  it('50 concurrent sign-ins do not delay other calls', async () => {
    const { username } = await givenUser(auth)
    let signedIn = 0
    const logins = Array.from({ length: 50 }, async () => {
      const { status } = await signIn(username, goodPassword)
      signedIn += 1
      return status
    })
    const other = await auth.api.as(servicePrincipal('chat')).call(authInternalRoutes.settings)
    expect(other.status).toBe(200)
    expect(signedIn).toBeLessThan(50)
    expect(new Set(await Promise.all(logins))).toEqual(new Set([200]))
  })
})

describe('wrong passwords', () => {
  const guess = (username: string, network: string) => signIn(username, 'a wrong password', openBrowser(auth, network))

  it('wrong passwords of one account are checked at most 10 times an hour from one network, even in parallel', async () => {
    const { username } = await givenUser(auth)
    const network = `4:${newId()}`
    const answers = await Promise.all(Array.from({ length: 30 }, () => guess(username, network)))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({ code: 'rate_limited' })
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3_500)
  })

  it('wrong passwords of one account are checked at most 20 times an hour, from any number of networks', async () => {
    const { username, browser } = await givenUser(auth)
    const answers = await Promise.all(Array.from({ length: 40 }, () => guess(username, `4:${newId()}`)))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(20)
    expect((await signIn(username, goodPassword)).status).toBe(429)
    // The browser that the owner used before is not locked out.
    expect((await signIn(username, goodPassword, browser)).status).toBe(200)
  })

  it('wrong passwords of an unknown name are counted alike', async () => {
    const network = `4:${newId()}`
    const answers = []
    for (let n = 0; n < 11; n += 1) answers.push((await guess('nobody-at-all', network)).status)
    expect(answers).toEqual([...Array(10).fill(401), 429])
  })

  it('wrong passwords are forgotten an hour after the first; right ones never count', async () => {
    const { username } = await givenUser(auth)
    const network = `4:${newId()}`
    const letPass = (minutes: number) =>
      auth.sql(`update sign_in_tries set resets_at = resets_at - interval '${minutes} minutes'`)
    for (let n = 0; n < 9; n += 1) await guess(username, network)
    await letPass(30)
    await guess(username, network)
    expect((await guess(username, network)).status).toBe(429)
    await letPass(31)
    for (let n = 0; n < 12; n += 1) {
      expect((await signIn(username, goodPassword, openBrowser(auth, network))).status).toBe(200)
    }
  })

  it('wrong passwords of an account count for it even if somebody signed in to another one enters them', async () => {
    const [mine, victim] = [await givenUser(auth), await givenUser(auth)]
    const answers = []
    for (let n = 0; n < 11; n += 1)
      answers.push((await signIn(victim.username, 'a wrong password', mine.browser)).status)
    expect(answers).toEqual([...Array(10).fill(401), 429])
  })

  it('wrong passwords with the cookie of another user’s trusted device do not use up its attempts', async () => {
    const mine = await givenUser(auth)
    const victim = await givenUser(auth)
    const network = `4:${newId()}`
    for (let n = 0; n < 10; n += 1) await guess(victim.username, network)
    const browser = openBrowser(auth, network)
    for (const [name, value] of mine.browser.cookies) browser.cookies.set(name, value)
    expect((await signIn(victim.username, 'a wrong password', browser)).status).toBe(429)
  })
})
