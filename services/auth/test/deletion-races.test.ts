import { authRoutes } from '@parley/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenUser, goodPassword, openBrowser } from './browser.ts'
import { startAuthAlone } from './running-auth.ts'
import { waiting } from './waiting.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  auth = await startAuthAlone()
})
afterAll(() => auth.stop())

type Given = Awaited<ReturnType<typeof givenUser>>

/** What an act is answered that meets the deletion of the account, and comes second. */
async function besideDeletion({ browser, user }: Given, act: () => Promise<{ status: number; text: string }>) {
  const release = await auth.hold(`select 1 from users where id = '${user._id}' for update`)
  const deleting = browser.call(authRoutes.deleteAccount, { password: goodPassword })
  await expect.poll(() => waiting(auth)).toBe(1)
  const acting = act()
  await expect.poll(() => waiting(auth)).toBe(2)
  await release()
  expect((await deleting).status).toBe(202)
  return await acting
}

describe('while the account is deleted', () => {
  it('a sign-in during the deletion of the account has wrong credentials: 401', async () => {
    const given = await givenUser(auth)
    const late = openBrowser(auth)
    const signIn = () => late.call(authRoutes.login, { identifier: given.username, password: goodPassword })
    expect(await besideDeletion(given, signIn)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect(late.cookie('refresh')).toBeUndefined()
  })

  it('a sign-in that would need a code during the deletion of the account has wrong credentials: 401', async () => {
    const given = await givenUser(auth)
    await auth.sql('update users set email_verified = false where id = $1', [given.user._id])
    const late = openBrowser(auth)
    const signIn = () => late.call(authRoutes.login, { identifier: given.username, password: goodPassword })
    expect(await besideDeletion(given, signIn)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect(late.cookie('pending')).toBeUndefined()
  })

  it('a change of the address during the deletion of the account has no session: 401', async () => {
    const given = await givenUser(auth)
    const second = given.browser.copy()
    second.useToken(given.browser.token())
    const { username, email } = given
    const change = () =>
      second.call(authRoutes.updateEmail, { username, newEmail: `new-${email}`, password: goodPassword })
    expect(await besideDeletion(given, change)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })
})

it('a refresh locks a session in the same order as a deletion', async () => {
  const { browser, user } = await givenUser(auth)
  const release = await auth.hold(`select 1 from sessions where user_id = '${user._id}' for update`)
  const refreshing = browser.call(authRoutes.refresh)
  await expect.poll(() => waiting(auth)).toBe(1)
  const free = await auth.sql(
    `select t.hash from refresh_tokens t where session_id in (select id from sessions where user_id = $1)
     for update skip locked`,
    [user._id],
  )
  expect(free).not.toEqual([])
  await release()
  expect((await refreshing).status).toBe(200)
})

it('of two super admins who delete their accounts at once the last one stays', async () => {
  const both = [await givenUser(auth), await givenUser(auth)]
  await auth.sql('update users set is_super_admin = false')
  for (const { user } of both)
    await auth.sql('update users set is_admin = true, is_super_admin = true where id = $1', [user._id])
  const release = await auth.hold(`select 1 from users where is_super_admin for update`)
  const deleting = both.map(({ browser }) => browser.call(authRoutes.deleteAccount, { password: goodPassword }))
  await expect.poll(() => waiting(auth)).toBe(2)
  await release()
  const answers = await Promise.all(deleting)
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
  expect(await auth.sql('select from users where is_super_admin')).toHaveLength(1)
})

it('a deletion with the old password has no effect after the password changed', async () => {
  const { browser, user } = await givenUser(auth)
  const other = browser.copy()
  other.useToken(browser.token())
  const release = await auth.hold(`select 1 from users where id = '${user._id}' for update`)
  const changing = other.call(authRoutes.changePassword, {
    currentPassword: goodPassword,
    newPassword: 'another horse battery',
  })
  await expect.poll(() => waiting(auth)).toBe(1)
  const deleting = browser.call(authRoutes.deleteAccount, { password: goodPassword })
  await expect.poll(() => waiting(auth)).toBe(2)
  await release()
  expect((await changing).status).toBe(200)
  expect(await deleting).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  expect(await auth.sql('select 1 from users where id = $1', [user._id])).toHaveLength(1)
})
