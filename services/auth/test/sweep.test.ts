import { authRoutes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { givenUser, goodPassword, openBrowser } from './browser.ts'
import { startAuthAlone } from './running-auth.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  auth = await startAuthAlone()
})
afterAll(() => auth.stop())

it('the sweep keeps long-lived sessions and deletes those that ended a week ago', async () => {
  const living = await givenUser(auth)
  const ended = await givenUser(auth)
  const lately = await givenUser(auth)
  await auth.sql(`update sessions set created_at = now() - interval '20 days'`)
  await auth.sql(`update sessions set ended_at = now() - interval '8 days' where user_id = $1`, [ended.user._id])
  await auth.sql(`update sessions set ended_at = now() - interval '6 days' where user_id = $1`, [lately.user._id])
  await auth.stores.sweeps.sweep()
  expect((await living.browser.principal()).kind).toBe('user')
  expect((await living.browser.call(authRoutes.refresh)).status).toBe(200)
  const left = async (userId: string) => (await auth.sql('select id from sessions where user_id = $1', [userId])).length
  expect([await left(ended.user._id), await left(lately.user._id)]).toEqual([0, 1])
})

it('the sweep deletes verifications 30 days after they were closed, however long they were open', async () => {
  const verification = async (closed: string) => {
    const { user } = await givenUser(auth)
    const set = `created_at = now() - interval '60 days', closed_at = now() - interval '${closed}'`
    const rows = await auth.sql(`update verifications set ${set} where user_id = $1 returning id`, [user._id])
    return rows[0]?.id
  }
  const [lately, before] = [await verification('29 days'), await verification('31 days')]
  await auth.stores.sweeps.sweep()
  expect(await auth.sql('select id from verifications where id = any($1)', [[lately, before]])).toEqual([
    { id: lately },
  ])
})

it.each([
  ['code_tries', 'at', '23 hours', '25 hours', {}],
  ['password_resets', 'created_at', '23 hours', '25 hours', { id: 'text' }],
  ['email_changes', 'at', '29 days', '31 days', { id: 'text', old_email: 'text', new_email: 'text' }],
  ['pending_sign_ins', 'expires_at', '-1 minutes', '1 minute', { hash: 'bytea' }],
  ['oauth_links', 'expires_at', '-1 minutes', '1 minute', { browser_hash: 'bytea', sealed: 'bytea' }],
])('the sweep deletes from %s by %s, %s ago not yet and %s ago at last', async (table, column, young, old, others) => {
  const { user } = await givenUser(auth)
  await auth.sql(`delete from ${table}`)
  const columns = ['user_id', column, ...Object.keys(others)]
  for (const ago of [young, old]) {
    const values = Object.values(others).map((type) => `'${newId()}'::${type}`)
    const all = ['$1', `now() - interval '${ago}'`, ...values]
    await auth.sql(`insert into ${table} (${columns}) values (${all})`, [user._id])
  }
  await auth.stores.sweeps.sweep()
  const left = await auth.sql(
    `select ${column} > now() - interval '${old}' as young from ${table} where user_id = $1`,
    [user._id],
  )
  expect(left).toEqual([{ young: true }])
})

it('a right password does not reset the wrong ones of the same network', async () => {
  const { username } = await givenUser(auth)
  const network = `4:${newId()}`
  const signIn = async (password: string): Promise<number> =>
    (await openBrowser(auth, network).call(authRoutes.login, { identifier: username, password })).status
  for (let nth = 0; nth < 9; nth += 1) expect(await signIn('a wrong password')).toBe(401)
  expect(await signIn(goodPassword)).toBe(200)
  expect(await signIn('a wrong password')).toBe(401)
  expect(await signIn('a wrong password')).toBe(429)
})

it.each([
  ['http://localhost:8080', false],
  ['https://chat.example.test', true],
])('all cookies under %s are hidden from scripts and other sites', async (publicUrl, secure) => {
  const own = await startAuthAlone({ publicUrl })
  const { username } = await givenUser(own)
  const answer = await openBrowser(own).call(authRoutes.login, { identifier: username, password: goodPassword })
  const cookies = [answer.headers['set-cookie'] ?? []].flat()
  expect(cookies).toHaveLength(3)
  for (const cookie of cookies) {
    expect(cookie).toContain('; Path=/api/auth; HttpOnly; SameSite=Strict')
    expect(/; Secure$/.test(cookie)).toBe(secure)
  }
  await own.stop()
})
