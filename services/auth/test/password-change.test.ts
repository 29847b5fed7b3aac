import { authRoutes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, givenUser, goodPassword, openBrowser } from './browser.ts'
import { startAuthAlone } from './running-auth.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  auth = await startAuthAlone()
})
afterAll(() => auth.stop())

const otherPassword = 'purple tractors hum softly'
const change = (browser: Browser, currentPassword: unknown, newPassword: unknown = otherPassword) =>
  browser.call(authRoutes.changePassword, { currentPassword, newPassword })
const signIn = async (identifier: string, password: string, browser = openBrowser(auth)): Promise<number> =>
  (await browser.call(authRoutes.login, { identifier, password })).status
const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.principal()).kind === 'user'

async function givenTwoDevices() {
  const given = await givenUser(auth)
  const other = openBrowser(auth)
  await signIn(given.username, goodPassword, other)
  return { ...given, other }
}

describe('a change of the password', () => {
  it('a change of the password keeps this session, ends all others immediately and notifies the owner', async () => {
    const { browser, other, user, username } = await givenTwoDevices()
    const heard = await auth.listen()
    const signals: string[] = []
    const forget = auth.signal.subscribe('principal-changed', ({ userId }) => signals.push(userId))
    expect((await change(browser, goodPassword)).status).toBe(200)
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false])
    expect([(await browser.call(authRoutes.refresh)).status, (await other.call(authRoutes.refresh)).status]).toEqual([
      200, 401,
    ])
    expect([await signIn(username, goodPassword), await signIn(username, otherPassword)]).toEqual([401, 200])
    await expect.poll(() => signals).toContain(user._id)
    await expect
      .poll(() => heard.filter(({ type }) => type === 'auth.password-changed'))
      .toMatchObject([{ key: user._id, data: { userId: user._id } }])
    forget()
  })

  it('a change of the password requires the present one, and otherwise changes nothing', async () => {
    const { browser, other, username } = await givenTwoDevices()
    expect(await change(browser, 'not the password')).toMatchObject({
      status: 403,
      body: { code: 'forbidden', error: 'Incorrect password. Try again.' },
    })
    for (const nothing of ['', null, undefined, { $ne: null }, [goodPassword]]) {
      expect((await change(browser, nothing)).status).toBe(400)
    }
    expect(await isSignedIn(other)).toBe(true)
    expect(await signIn(username, goodPassword)).toBe(200)
  })

  it.each([
    ['the same one', goodPassword, 'different from your current one'],
    ['a common one', 'PASSWORD1', 'too common'],
  ])('a new password that is %s is 400', async (_what, password, message) => {
    const { browser, other } = await givenTwoDevices()
    expect(await change(browser, goodPassword, password)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'newPassword', message: expect.stringContaining(message) }] },
    })
    expect(await isSignedIn(other)).toBe(true)
  })

  it('a new password that equals the username is 400', async () => {
    const { browser, username } = await givenTwoDevices()
    expect(await change(browser, goodPassword, `${username.toUpperCase()}-42`)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'newPassword', message: expect.stringContaining('your name') }] },
    })
  })

  it('a session has 20 attempts an hour at the present password, which others cannot use up', async () => {
    const { browser, username } = await givenUser(auth)
    // By its token alone, since a trusted device has attempts of its own.
    const session = openBrowser(auth)
    session.useToken(browser.token())
    await Promise.all(Array.from({ length: 25 }, () => signIn(username, 'a wrong password')))
    for (let n = 0; n < 20; n += 1) expect((await change(session, 'a wrong password')).status).toBe(403)
    const refused = await change(session, goodPassword)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500)
  })

  it('a user without a password is told how to get one', async () => {
    const { browser, user } = await givenUser(auth)
    await auth.sql('delete from credentials where user_id = $1', [user._id])
    expect(await change(browser, goodPassword)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', error: expect.stringContaining('no password yet') },
    })
  })

  it('of two concurrent changes of the password one succeeds', async () => {
    const { browser, other, username } = await givenTwoDevices()
    const answers = await Promise.all([
      change(browser, goodPassword, 'the first of two passwords'),
      change(other, goodPassword, 'the second of two passwords'),
    ])
    const won = answers.findIndex(({ status }) => status === 200)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await signIn(username, `the ${won === 0 ? 'first' : 'second'} of two passwords`)).toBe(200)
  })

  it('a change of the password ends the trust in all other devices', async () => {
    const { browser, other, username } = await givenTwoDevices()
    await change(browser, goodPassword)
    await Promise.all(Array.from({ length: 25 }, () => signIn(username, 'a wrong password')))
    expect(await signIn(username, otherPassword, other)).toBe(429)
    expect(await signIn(username, otherPassword, browser)).toBe(200)
  })

  it('a change of the password without a session is 401', async () => {
    expect((await change(openBrowser(auth, `4:${newId()}`), goodPassword)).status).toBe(401)
  })
})

describe('signing out the others', () => {
  it('signing out the other sessions ends all but this one, and returns their number', async () => {
    const { browser, other, username } = await givenTwoDevices()
    const third = openBrowser(auth)
    await signIn(username, goodPassword, third)
    const stranger = await givenUser(auth)
    expect(await browser.call(authRoutes.endOtherSessions)).toMatchObject({ status: 200, body: { ended: 2 } })
    const living = await Promise.all([browser, other, third, stranger.browser].map(isSignedIn))
    expect(living).toEqual([true, false, false, true])
    expect((await browser.call(authRoutes.endOtherSessions)).body).toEqual({ ended: 0 })
  })

  it('signing out the other sessions is signalled to all replicas', async () => {
    const { browser, user } = await givenTwoDevices()
    const signals: string[] = []
    const forget = auth.signal.subscribe('principal-changed', ({ userId }) => signals.push(userId))
    await browser.call(authRoutes.endOtherSessions)
    await expect.poll(() => signals).toContain(user._id)
    forget()
  })
})
