import { authInternalRoutes, authRoutes, type EventOf } from '@parley/contracts'
import { servicePrincipal, waitUntil } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, chosen, fetchCode, givenUser, goodPassword, openBrowser, type TokenAnswer } from './browser.ts'
import { startAuthAlone } from './running-auth.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  auth = await startAuthAlone()
})
afterAll(() => auth.stop())

const change = (browser: Browser, body: { username: string; newEmail: string; password?: string }) =>
  browser.call(authRoutes.updateEmail, body)
const emailOf = async (username: string) =>
  (await auth.sql('select email, email_verified from users where username = $1', [username]))[0]

describe('update e-mail', () => {
  it('the browser that registered can correct the address, which invalidates the code sent to the wrong one and notifies nobody', async () => {
    const heard = await auth.listen()
    const browser = openBrowser(auth)
    const choice = chosen()
    await browser.call(authRoutes.register, choice)
    const { username } = choice
    const old = await fetchCode(auth, username)
    expect((await change(browser, { username, newEmail: 'Right@Example.test' })).status).toBe(200)
    expect(await emailOf(username)).toEqual({ email: 'right@example.test', email_verified: false })
    expect((await browser.call(authRoutes.verifyEmail, { username, code: old })).status).toBe(400)
    const code = await fetchCode(auth, username)
    const confirmed = await browser.call(authRoutes.verifyEmail, { username, code })
    expect(confirmed.status).toBe(200)
    const { user } = confirmed.body as TokenAnswer
    // Only the confirmed address that is given up is told, later.
    await change(browser, { username, newEmail: `later-${username}@example.test`, password: goodPassword })
    const changes = () =>
      heard.filter(({ key }) => key === user._id).filter(({ type }) => type === 'auth.email-changed')
    await expect.poll(() => changes().length).toBe(1)
    const [told] = changes()
    const { emailChangeId: id } = (told as EventOf<'auth.email-changed'>).data
    const notifier = auth.api.as(servicePrincipal('notifier'))
    const about = await notifier.call(authInternalRoutes.emailChange, { params: { id } })
    expect(about.body.to).toBe('right@example.test')
  })

  it('a change of the address without a proof is 401, whether or not the user exists', async () => {
    const { username, email } = await givenUser(auth)
    const stranger = openBrowser(auth)
    const attacker = await givenUser(auth)
    const newEmail = 'attacker@evil.test'
    const answers = [
      await change(stranger, { username, newEmail }),
      await change(stranger, { username, newEmail, password: goodPassword }),
      await change(attacker.browser, { username, newEmail, password: goodPassword }),
      await change(stranger, { username: 'nobody-at-all', newEmail }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
    const withoutId = answers.map(({ text }) => text.replace(/"requestId":"[^"]*"/, ''))
    expect(new Set(withoutId).size).toBe(1)
    expect(await emailOf(username)).toEqual({ email, email_verified: true })
  })

  it('a change of a confirmed address requires the password, and the old address is notified', async () => {
    const heard = await auth.listen()
    const { username, email, browser, user } = await givenUser(auth)
    const newEmail = `new-${email}`
    for (const password of [undefined, 'a wrong password']) {
      const refused = await change(browser, { username, newEmail, ...(password && { password }) })
      expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    }
    expect((await change(browser, { username, newEmail, password: goodPassword })).status).toBe(200)
    expect(await emailOf(username)).toEqual({ email: newEmail, email_verified: false })
    const { data } = await waitUntil(
      () => heard.find((event) => event.type === 'auth.email-changed' && event.key === user._id),
      'the event',
    )
    const { emailChangeId } = data as { emailChangeId: string }
    const told = await auth.api
      .as(servicePrincipal('notifier'))
      .call(authInternalRoutes.emailChange, { params: { id: emailChangeId } })
    expect(told.body).toMatchObject({ to: email, username })
  })

  it('a change to the present, confirmed address is refused (409), and the address stays confirmed', async () => {
    const { username, email, browser } = await givenUser(auth)
    const answer = await change(browser, { username, newEmail: email.toUpperCase(), password: goodPassword })
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await emailOf(username)).toEqual({ email, email_verified: true })
  })

  it('a signed-in owner keeps the session when the new address is confirmed, and all replicas hear of both', async () => {
    const { username, browser, user } = await givenUser(auth)
    const signals: string[] = []
    const forget = auth.signal.subscribe('principal-changed', ({ userId }) => signals.push(userId))
    const cookie = browser.cookie('refresh')
    await change(browser, { username, newEmail: `x-${username}@example.test`, password: goodPassword })
    await expect.poll(() => signals).toEqual([user._id])
    const code = await fetchCode(auth, username)
    expect((await browser.call(authRoutes.verifyEmail, { username, code })).status).toBe(200)
    await expect.poll(() => signals).toEqual([user._id, user._id])
    forget()
    expect(browser.cookie('refresh')).toBe(cookie)
    expect((await browser.call(authRoutes.sessions)).body.sessions).toHaveLength(1)
  })

  it('a browser in which a signed-in owner changed the address can enter the code without being signed in (200)', async () => {
    const { username, browser } = await givenUser(auth)
    await change(browser, { username, newEmail: `y-${username}@example.test`, password: goodPassword })
    expect(browser.cookie('pending')).toBeDefined()
    const code = await fetchCode(auth, username)
    const signedOut = browser.copy()
    expect((await signedOut.call(authRoutes.verifyEmail, { username, code })).status).toBe(200)
  })

  it('a change to an address that is taken is refused', async () => {
    const { username, browser } = await givenUser(auth)
    const other = await givenUser(auth)
    const answer = await change(browser, { username, newEmail: other.email.toUpperCase(), password: goodPassword })
    expect(answer).toMatchObject({ status: 409, body: { code: 'email_taken' } })
  })

  it('changes of the address reveal at most 5 times an hour that an address is taken, and free ones do not count', async () => {
    const { username, browser } = await givenUser(auth)
    const other = await givenUser(auth)
    const to = async (newEmail: string) => await change(browser, { username, newEmail, password: goodPassword })
    expect((await to(`free-${username}@example.test`)).status).toBe(200)
    const statuses: number[] = []
    for (let nth = 0; nth < 6; nth += 1) statuses.push((await to(other.email)).status)
    expect(statuses).toEqual([409, 409, 409, 409, 409, 429])
    const refused = await to(`free-too-${username}@example.test`)
    expect([refused.status, refused.headers['ratelimit-limit']]).toEqual([429, '5'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500)
  })

  it('wrong passwords at a change of the address count together with those of the session’s other forms', async () => {
    const { username, browser } = await givenUser(auth)
    const guess = async () =>
      (await change(browser, { username, newEmail: 'x@example.test', password: 'a wrong password' })).status
    for (let nth = 0; nth < 20; nth += 1) expect(await guess()).toBe(403)
    expect(await guess()).toBe(429)
    const body = { currentPassword: goodPassword, newPassword: 'purple tractors hum softly' }
    expect((await browser.call(authRoutes.changePassword, body)).status).toBe(429)
  })

  it('a visitor can have 5 mails an hour sent to addresses of their choice', async () => {
    const browser = openBrowser(auth)
    const { username, ...choice } = chosen()
    await browser.call(authRoutes.register, { username, ...choice })
    const statuses: number[] = []
    for (let n = 0; n < 6; n += 1) {
      statuses.push((await change(browser, { username, newEmail: `target-${n}@example.test` })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })
})
