import { authRoutes } from '@parley/contracts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fetchCode, givenRegistration, givenUser, goodPassword, openBrowser } from './browser.ts'
import { startAuthAlone } from './running-auth.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  auth = await startAuthAlone()
})
afterAll(() => auth.stop())

it('a banned user can neither confirm an address, change it, nor get a session by a code', async () => {
  const { browser, username } = await givenRegistration(auth)
  const code = await fetchCode(auth, username)
  await auth.sql('update users set banned_at = now() where username = $1', [username])
  expect(await browser.call(authRoutes.verifyEmail, { username, code })).toMatchObject({
    status: 403,
    body: { code: 'account_banned', error: 'Your account has been banned. Please contact support for assistance.' },
  })
  const moved = await browser.call(authRoutes.updateEmail, { username, newEmail: `new-${username}@example.test` })
  expect(moved).toMatchObject({ status: 403, body: { code: 'account_banned' } })
  expect(browser.cookie('refresh')).toBeUndefined()
  expect(
    await auth.sql(
      'select email_verified, count(s.id)::int as sessions from users u left join sessions s on s.user_id = u.id where username = $1 group by 1',
      [username],
    ),
  ).toEqual([{ email_verified: false, sessions: 0 }])
})

it('a confirmed address ends the right of other browsers to enter codes', async () => {
  const { browser, username } = await givenRegistration(auth)
  const second = openBrowser(auth)
  await second.call(authRoutes.login, { identifier: username, password: goodPassword })
  expect(second.cookie('pending')).toBeDefined()
  const code = await fetchCode(auth, username)
  expect((await browser.call(authRoutes.verifyEmail, { username, code })).status).toBe(200)
  expect((await second.call(authRoutes.verifyEmail, { username, code })).status).toBe(401)
  expect((await second.call(authRoutes.updateEmail, { username, newEmail: 'other@example.test' })).status).toBe(401)
})

it('signing out the others ends their right to enter codes, too', async () => {
  const { browser, username } = await givenUser(auth)
  const moved = { username, newEmail: `new-${username}@example.test`, password: goodPassword }
  await browser.call(authRoutes.updateEmail, moved)
  const second = openBrowser(auth)
  await second.call(authRoutes.login, { identifier: username, password: goodPassword })
  expect(second.cookie('pending')).toBeDefined()
  expect((await browser.call(authRoutes.endOtherSessions)).status).toBe(200)
  const code = await fetchCode(auth, username)
  expect((await second.call(authRoutes.verifyEmail, { username, code })).status).toBe(401)
  expect((await browser.call(authRoutes.verifyEmail, { username, code })).status).toBe(200)
})
