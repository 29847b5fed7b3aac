import { authInternalRoutes, authRoutes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { servicePrincipal } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resetPassword } from '../src/administration/recovery.ts'
import { type Browser, givenUser, goodPassword, openBrowser, type TokenAnswer } from './browser.ts'
import { givenAccount, type SignOn, signOn, startSignOn, userOf } from './signing-on.ts'
import { waiting } from './waiting.ts'

let on: SignOn
beforeAll(async () => {
  on = await startSignOn()
})
afterAll(() => on.stop())

const otherPassword = 'purple tractors hum softly'
const login = (browser: Browser, identifier: string, password: string) =>
  browser.call(authRoutes.login, { identifier, password })
const link = (browser: Browser, password = goodPassword) => browser.call(authRoutes.linkOAuth, { password })
const identitiesOf = (userId: string) =>
  on.auth.sql('select subject, user_id from identities where user_id = $1', [userId])

/** What is mailed to an address, after somebody asked for it. */
async function mailedToken(email: string, browser = openBrowser(on.auth)): Promise<string> {
  await browser.call(authRoutes.requestPasswordReset, { email })
  const [row] = await on.auth.sql<{ id: string }>(
    'select r.id from password_resets r join users u on u.id = r.user_id where u.email = $1 and closed_at is null',
    [email],
  )
  const notifier = on.auth.api.as(servicePrincipal('notifier'))
  const issued = await notifier.call(authInternalRoutes.issuePasswordReset, { params: { id: row?.id ?? 'none' } })
  return issued.body.token
}
/** Sets a password by a mailed link. */
async function reset(email: string, newPassword = otherPassword, browser = openBrowser(on.auth)): Promise<void> {
  const token = await mailedToken(email, browser)
  const answer = await browser.call(authRoutes.confirmPasswordReset, { token, email, newPassword })
  if (answer.status !== 200) throw new Error(`no new password: ${answer.text}`)
}

describe('a password set by a mailed link removes an earlier single sign-on', () => {
  it('a password set by a mailed link locks out a person who signed on with an address that was never theirs', async () => {
    const email = `squatted-${newId()}@example.test`
    const { sub } = givenAccount(on.provider, { email, email_verified: false })
    expect((await signOn(on, openBrowser(on.auth), sub)).body).toMatchObject({ emailVerificationRequired: true })
    await reset(email)
    const owner = await login(openBrowser(on.auth), email, otherPassword)
    expect(owner.body).toMatchObject({ user: { email, authType: 'local', hasPassword: true } })
    const back = openBrowser(on.auth)
    expect(await signOn(on, back, sub)).toMatchObject({ status: 409, body: { code: 'email_taken' } })
    expect(await link(back, 'what the attacker guesses')).toMatchObject({ status: 401 })
  })

  it('a password set by a mailed link locks out a person who moved an account of their own to the address', async () => {
    const email = `moved-to-${newId()}@example.test`
    const attacker = openBrowser(on.auth)
    const own = await givenUser(on.auth)
    const { sub } = givenAccount(on.provider, { email: own.email })
    await signOn(on, attacker, sub)
    const { _id, username } = userOf(await link(attacker))
    const moved = await attacker.call(authRoutes.updateEmail, { username, newEmail: email, password: goodPassword })
    expect(moved.status).toBe(200)
    await reset(email)
    expect((await login(openBrowser(on.auth), email, otherPassword)).body).toMatchObject({ user: { _id } })
    expect(userOf(await signOn(on, openBrowser(on.auth), sub))._id).not.toBe(_id)
  })

  it('a password set by a mailed link removes an identity linked with the stolen password, and one that waits to be linked', async () => {
    const owner = await givenUser(on.auth)
    const { sub } = givenAccount(on.provider, { email: owner.email })
    const [linked, waits] = [openBrowser(on.auth), openBrowser(on.auth)]
    for (const browser of [linked, waits]) await signOn(on, browser, sub)
    expect((await link(linked)).status).toBe(200)
    await reset(owner.email)
    expect(await identitiesOf(owner.user._id)).toEqual([])
    expect((await link(waits, otherPassword)).status).toBe(400)
    const again = openBrowser(on.auth)
    expect((await signOn(on, again, sub)).status).toBe(409)
    // The owner's own sign-on is linked again by the new password.
    expect(userOf(await link(again, otherPassword))._id).toBe(owner.user._id)
  })

  it('a password set by a mailed link stops a sign-on that is about to start a session', async () => {
    const { sub, email } = givenAccount(on.provider)
    const { _id } = userOf(await signOn(on, openBrowser(on.auth), sub))
    const token = await mailedToken(email)
    const release = await on.auth.hold(`select 1 from users where id = '${_id}' for no key update`)
    const confirmed = openBrowser(on.auth).call(authRoutes.confirmPasswordReset, {
      ...{ token, email, newPassword: otherPassword },
    })
    await expect.poll(() => waiting(on.auth)).toBe(1)
    const late = openBrowser(on.auth)
    const entering = signOn(on, late, sub)
    await expect.poll(() => waiting(on.auth)).toBe(2)
    await release()
    expect([(await confirmed).status, (await entering).status]).toEqual([200, 401])
    expect((await late.principal()).kind).toBe('guest')
  })
})

it('a password set by the operator removes single sign-on, too, and wrong passwords are forgiven', async () => {
  const { sub } = givenAccount(on.provider)
  const { _id, username } = userOf(await signOn(on, openBrowser(on.auth), sub))
  const wrong = [`account:${_id}`]
  await on.auth.sql("insert into sign_in_tries values ($1, 1000, now() + interval '1 hour')", wrong)
  const password = await resetPassword(on.auth.stores, username)
  expect(await identitiesOf(_id)).toEqual([])
  expect(await on.auth.sql('select 1 from sign_in_tries where key = $1', wrong)).toEqual([])
  expect((await login(openBrowser(on.auth), username, password ?? '')).status).toBe(200)
})

it('a password that the owner changes in the profile keeps single sign-on', async () => {
  const owner = await givenUser(on.auth)
  const { sub } = givenAccount(on.provider, { email: owner.email })
  const browser = openBrowser(on.auth)
  await signOn(on, browser, sub)
  await link(browser)
  const change = { currentPassword: goodPassword, newPassword: otherPassword }
  expect((await owner.browser.call(authRoutes.changePassword, change)).status).toBe(200)
  expect(userOf(await signOn(on, openBrowser(on.auth), sub))._id).toBe(owner.user._id)
})

it('the owner is notified once of a linked identity', async () => {
  const heard = await on.auth.listen()
  const owner = await givenUser(on.auth)
  const { sub } = givenAccount(on.provider, { email: owner.email })
  const browsers = [openBrowser(on.auth), openBrowser(on.auth)]
  for (const browser of browsers) await signOn(on, browser, sub)
  for (const browser of browsers) expect((await link(browser)).status).toBe(200)
  await owner.browser.call(authRoutes.changePassword, { currentPassword: goodPassword, newPassword: otherPassword })
  const told = () => heard.filter(({ key }) => key === owner.user._id).map(({ type, data }) => ({ type, data }))
  await expect.poll(() => told().map(({ type }) => type)).toContain('auth.password-changed')
  const linked = told().filter(({ type }) => type === 'auth.identity-linked')
  expect(linked).toEqual([{ type: 'auth.identity-linked', data: { userId: owner.user._id } }])
})

it('the old password cannot link or sign in while it is being replaced', async () => {
  const owner = await givenUser(on.auth)
  const { sub } = givenAccount(on.provider, { email: owner.email })
  const attacker = openBrowser(on.auth)
  await signOn(on, attacker, sub)
  const release = await on.auth.hold(`select 1 from users where id = '${owner.user._id}' for no key update`)
  const change = { currentPassword: goodPassword, newPassword: otherPassword }
  const changing = owner.browser.call(authRoutes.changePassword, change)
  await expect.poll(() => waiting(on.auth)).toBe(1)
  const linking = link(attacker)
  await expect.poll(() => waiting(on.auth)).toBe(2)
  await release()
  expect([(await changing).status, (await linking).status]).toEqual([200, 401])
  expect(await identitiesOf(owner.user._id)).toEqual([])
  expect((await attacker.principal()).kind).toBe('guest')
  // The new one still links.
  expect(((await link(attacker, otherPassword)).body as TokenAnswer).user._id).toBe(owner.user._id)
})

it('the old password cannot move the account to another address while it is being replaced', async () => {
  const owner = await givenUser(on.auth)
  const thief = openBrowser(on.auth)
  await login(thief, owner.username, goodPassword)
  const token = await mailedToken(owner.email)
  const release = await on.auth.hold(`select 1 from users where id = '${owner.user._id}' for no key update`)
  const { email } = owner
  const set = { token, email, newPassword: otherPassword }
  const confirmed = openBrowser(on.auth).call(authRoutes.confirmPasswordReset, set)
  await expect.poll(() => waiting(on.auth)).toBe(1)
  const move = { username: owner.username, newEmail: 'of-the-thief@example.test', password: goodPassword }
  const moving = thief.call(authRoutes.updateEmail, move)
  await expect.poll(() => waiting(on.auth)).toBe(2)
  await release()
  expect([(await confirmed).status, (await moving).status]).toEqual([200, 403])
  expect((await login(openBrowser(on.auth), email, otherPassword)).status).toBe(200)
})
