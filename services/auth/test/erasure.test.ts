import { authAdminRoutes, authInternalRoutes, authRoutes, erasingServices } from '@parley/contracts'
import { anonymousId, newId } from '@parley/kit'
import { guestPrincipal, servicePrincipal, testEvent } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenSuperAdmin, givenUser, goodPassword, openBrowser } from './browser.ts'
import { adminPassword, startAuthAlone } from './running-auth.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
let events: Awaited<ReturnType<typeof auth.listen>>
beforeAll(async () => {
  auth = await startAuthAlone()
  events = await auth.listen()
})
afterAll(() => auth.stop())

type Given = Awaited<ReturnType<typeof givenUser>>

const asService = () => auth.api.as(servicePrincipal('chat'))
const acknowledge = (id: string, service: (typeof erasingServices)[number]) =>
  asService().call(authInternalRoutes.acknowledgeErasure, { params: { id }, body: { service } })
const receiptOf = (id: string) => asService().call(authInternalRoutes.erasure, { params: { id } })
const told = (type: string) => events.filter((event) => event.type === type)

/** Resolves to the id of the erasure. */
async function deleted({ browser, user }: Pick<Given, 'browser' | 'user'>, password = goodPassword): Promise<string> {
  const answer = await browser.call(authRoutes.deleteAccount, { password })
  expect(answer.status, answer.text).toBe(202)
  const [row] = await auth.sql<{ id: string }>('select id from erasures where user_id = $1', [user._id])
  return row?.id ?? ''
}

/** Notifier says what became of the receipt, which it sends once it knows that the user is erased: nothing is left to be published then. */
async function settle(erasureId: string): Promise<void> {
  await expect.poll(() => auth.sql('select from outbox where strpos(event::text, $1) > 0', [erasureId])).toEqual([])
  await auth.bus.publish([
    testEvent('notifier.mail-settled', erasureId, {
      kind: 'account-deleted',
      subjectId: erasureId,
      outcome: 'sent',
      reason: null,
    }),
  ])
}

/** Tables of auth and the bus in which one of these texts is found. */
async function tablesWith(...texts: string[]): Promise<string[]> {
  const tables = await auth.sql<{ name: string }>(
    `select table_schema || '.' || table_name as name from information_schema.tables where table_schema in ('auth', 'bus')`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await auth.sql(
      `select from ${name} as t where exists (select from unnest($1::text[]) as w (text) where strpos(t::text, w.text) > 0)`,
      [texts],
    )
    if (rows.length > 0) found.push(name)
  }
  return found.sort()
}

describe('deleting an account', () => {
  it('deleting an account requires the password, counts wrong ones, and changes nothing if it is refused', async () => {
    const { browser, user } = await givenUser(auth)
    const principal = await browser.principal()
    // The cookies are not for this path.
    const call = (password?: string) =>
      auth.api.as(principal).call(authRoutes.deleteAccount, { body: password === undefined ? {} : { password } })
    const refused = await call()
    expect([refused.status, refused.body]).toMatchObject([
      403,
      { error: expect.stringContaining('enter your password') },
    ])
    for (let nth = 0; nth < 20; nth += 1) {
      const wrong = await call('a wrong password')
      expect([wrong.status, wrong.body]).toMatchObject([403, { error: 'Incorrect password. Try again.' }])
    }
    const exhausted = await call(goodPassword)
    expect([exhausted.status, Number(exhausted.headers['retry-after'])]).toEqual([429, expect.any(Number)])
    expect((await browser.call(authRoutes.profile)).body).toMatchObject({ user: { _id: user._id } })
    expect(await auth.sql('select from erasures where user_id = $1', [user._id])).toEqual([])
  })

  it('deleting an account without a password requires a sign-in within the last ten minutes', async () => {
    const { browser, user } = await givenUser(auth)
    await auth.sql('delete from credentials where user_id = $1', [user._id])
    await auth.sql(`update sessions set created_at = now() - interval '11 minutes' where user_id = $1`, [user._id])
    const late = await browser.call(authRoutes.deleteAccount)
    expect([late.status, late.body]).toMatchObject([403, { error: expect.stringContaining('sign in again') }])
    await auth.sql(`update sessions set created_at = now() - interval '9 minutes' where user_id = $1`, [user._id])
    expect((await browser.call(authRoutes.deleteAccount, {})).status).toBe(202)
  })

  it('deleting an account ends all sessions immediately, signals this, and clears the cookies', async () => {
    const given = await givenUser(auth)
    const elsewhere = openBrowser(auth)
    await elsewhere.call(authRoutes.login, { identifier: given.username, password: goodPassword })
    const [here, there] = [await given.browser.principal(), await elsewhere.principal()]
    const heard: string[] = []
    const unsubscribe = auth.signal.subscribe('principal-changed', ({ userId }) => void heard.push(userId))
    const stolen = given.browser.copy()
    await deleted(given)
    await expect.poll(() => heard).toContain(given.user._id)
    unsubscribe()
    expect([...given.browser.cookies.keys()]).toEqual([])
    expect((await given.browser.principal()).kind).toBe('guest')
    expect((await elsewhere.principal()).kind).toBe('guest')
    expect((await stolen.call(authRoutes.refresh)).status).toBe(401)
    // Where the gateway has not heard of it yet.
    for (const principal of [here, there]) {
      const body = { password: goodPassword }
      expect((await auth.api.as(principal).call(authRoutes.deleteAccount, { body })).status).toBe(401)
      expect((await auth.api.as(principal).call(authRoutes.profile)).status).toBe(401)
    }
  })

  it('a deleted account is unknown, and its name and address are free', async () => {
    const given = await givenUser(auth)
    await deleted(given)
    const { username, email } = given
    const login = (identifier: string) =>
      openBrowser(auth).call(authRoutes.login, { identifier, password: goodPassword })
    const [gone, never] = [await login(username), await login('nobody-ever')]
    expect([gone.status, { ...(gone.body as object), requestId: '' }]).toEqual([
      never.status,
      { ...(never.body as object), requestId: '' },
    ])
    const again = await givenUser(auth, { username, email })
    expect(again.user).toMatchObject({ username, email })
    expect(again.user._id).not.toBe(given.user._id)
  })

  it('of two concurrent calls that delete an account one succeeds', async () => {
    const { browser } = await givenUser(auth)
    const principal = await browser.principal()
    const call = () => auth.api.as(principal).call(authRoutes.deleteAccount, { body: { password: goodPassword } })
    const statuses = (await Promise.all([call(), call()])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([202, 401])
  })

  it('a guest and the only super admin cannot delete an account', async () => {
    const body = { password: adminPassword }
    expect((await auth.api.as(guestPrincipal()).call(authRoutes.deleteAccount, { body })).status).toBe(401)
    const { browser, user } = await givenSuperAdmin(auth, adminPassword)
    const refused = await browser.call(authRoutes.deleteAccount, body)
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'conflict' }])
    const second = await givenUser(auth)
    await auth.sql('update users set is_admin = true, is_super_admin = true where id = $1', [second.user._id])
    await deleted(second)
    expect(await auth.sql('select id from users where is_super_admin')).toEqual([{ id: user._id }])
  })
})

describe('an erasure', () => {
  it('an erasure is published, complete once all services have acknowledged it, and forgotten with its receipt', async () => {
    const given = await givenUser(auth)
    const { email, username, user } = given
    const id = await deleted(given)
    await expect
      .poll(() => told('auth.user-deleted').map(({ data }) => data))
      .toContainEqual({ userId: user._id, erasureId: id })
    const [last, ...others] = [...erasingServices].reverse()
    for (const service of others) {
      expect((await acknowledge(id, service)).status).toBe(204)
      expect((await acknowledge(id, service)).status).toBe(204)
    }
    expect((await receiptOf(id)).status).toBe(404)
    const erased = () => told('auth.user-erased').filter(({ key }) => key === id)
    for (let nth = 0; nth < 2; nth += 1) expect((await acknowledge(id, last ?? 'chat')).status).toBe(204)
    await expect.poll(erased).toHaveLength(1)
    expect((await receiptOf(id)).body).toEqual({ to: email, username, locale: 'en', erasedAt: expect.any(String) })
    expect(await tablesWith(email)).toEqual(['auth.erasures'])
    await settle(id)
    await expect.poll(() => tablesWith(user._id, email)).toEqual([])
    expect((await receiptOf(id)).status).toBe(404)
    expect((await acknowledge(id, 'chat')).status).toBe(404)
    expect(erased()).toHaveLength(1)
  })

  it('an erasure is published again if a service has not acknowledged it for ten minutes', async () => {
    const id = await deleted(await givenUser(auth))
    const ofThis = () => told('auth.user-deleted').filter(({ data }) => 'erasureId' in data && data.erasureId === id)
    await expect.poll(ofThis).toHaveLength(1)
    await auth.sql(`update erasures set asked_at = now() - interval '11 minutes' where id = $1`, [id])
    await expect.poll(ofThis).toHaveLength(2)
    expect(new Set(ofThis().map((event) => event.id)).size).toBe(2)
    for (const service of erasingServices) await acknowledge(id, service)
    await auth.sql(`update erasures set asked_at = now() - interval '11 minutes' where id = $1`, [id])
    const other = await deleted(await givenUser(auth))
    await auth.sql(`update erasures set asked_at = now() - interval '11 minutes' where id = $1`, [other])
    await expect
      .poll(() => told('auth.user-deleted').filter(({ data }) => 'erasureId' in data && data.erasureId === other))
      .toHaveLength(2)
    expect(ofThis()).toHaveLength(2)
  })

  it('an erasure is forgotten 25 hours after its end, even without a receipt', async () => {
    const [kept, over] = [await givenUser(auth), await givenUser(auth)]
    const ids = [await deleted(kept), await deleted(over)]
    for (const id of ids) for (const service of erasingServices) await acknowledge(id, service)
    await auth.sql(
      `update erasures set asked_at = now() - interval '27 hours', erased_at = now() - interval '24 hours' where id = $1`,
      [ids[0]],
    )
    await auth.sql(
      `update erasures set asked_at = now() - interval '27 hours', erased_at = now() - interval '26 hours' where id = $1`,
      [ids[1]],
    )
    await expect.poll(() => auth.sql('select from erasures where id = $1', [ids[1]])).toEqual([])
    expect((await receiptOf(ids[0] ?? '')).status).toBe(200)
  })
})

describe('the audit log', () => {
  it('the audit log does not name deleted users, whether as actor or target, also in late events', async () => {
    const root = await givenSuperAdmin(auth, adminPassword)
    const given = await givenUser(auth)
    const { user, browser, email } = given
    const asRoot = (isAdmin: boolean) =>
      auth.api.as(rootPrincipal).call(authAdminRoutes.updateUser, { params: { id: user._id }, body: { isAdmin } })
    const rootPrincipal = await root.browser.principal()
    await asRoot(true)
    const victim = await givenUser(auth)
    const act = { params: { id: victim.user._id }, body: { banned: true } }
    await auth.api.as(await browser.principal()).call(authAdminRoutes.updateUser, act)
    expect(await tablesWith(user._id)).toEqual(expect.arrayContaining(['auth.audit']))

    const id = await deleted(given)
    const late = (target: string) =>
      testEvent('llm-router.admin-acted', target, {
        ...{ actorId: user._id, action: 'model.changed', target, requestId: 'request' },
        before: { updatedBy: root.user._id },
        after: { updatedBy: user._id },
      })
    await auth.bus.publish([late('v3'), late(user._id)])
    const name = anonymousId(user._id)
    const entries = () =>
      auth.sql('select action, actor_id, actor_name, target, before, after from audit order by action, target')
    await expect
      .poll(async () =>
        (await entries()).filter((entry) => entry.action === 'model.changed' && entry.actor_id === name),
      )
      .toEqual(
        [name, 'v3'].map((target) => ({
          ...{ action: 'model.changed', actor_id: name, actor_name: 'deleted user', target },
          ...{ before: { updatedBy: root.user._id }, after: { updatedBy: name } },
        })),
      )
    // An act on nobody cannot be undone.
    expect(await auth.sql('select action from audit where reversible and target = $1', [name])).toEqual([])
    const all = await entries()
    const plain = { before: null, after: null }
    expect(all).toContainEqual({
      action: 'user.deleted',
      actor_id: name,
      actor_name: 'deleted user',
      target: name,
      ...plain,
    })
    expect(all).toContainEqual(
      expect.objectContaining({ action: 'user.admin-granted', actor_id: root.user._id, target: name }),
    )
    expect(all).toContainEqual(
      expect.objectContaining({ action: 'user.banned', actor_name: 'deleted user', target: victim.user._id }),
    )
    await expect.poll(() => tablesWith(user._id, email, user.username)).toEqual(['auth.erasures', 'bus.log'])
    // What was counted while the account was being deleted.
    await auth.sql("insert into sign_in_tries values ($1, 1, now() + interval '1 hour')", [`late:${user._id}`])
    for (const service of erasingServices) await acknowledge(id, service)
    await settle(id)
    await expect.poll(() => tablesWith(user._id, email, user.username)).toEqual([])
  })

  it('the audit log keeps what others wrote if it contains the address of a deleted user', async () => {
    const [entry, domain] = [newId(), `${newId()}.test`]
    const given = await givenUser(auth, { email: `p@${domain}` })
    const wrote = { systemPrompt: `Ask help@${domain} or info@${domain}`, supportEmail: `p@${domain}` }
    await auth.sql(
      `insert into audit (id, actor_id, actor_name, action, target, before, after, request_id)
       values ($1, 'other', 'root', 'settings.changed', null, null, $2, 'request')`,
      [entry, JSON.stringify(wrote)],
    )
    const id = await deleted(given)
    for (const service of erasingServices) await acknowledge(id, service)
    await settle(id)
    await expect.poll(() => tablesWith(given.user._id)).toEqual([])
    expect(await auth.sql('select after from audit where id = $1', [entry])).toEqual([{ after: wrote }])
  })
})
