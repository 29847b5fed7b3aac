import { auditRoutes, authAdminRoutes, authRoutes, type Principal } from '@parley/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenSuperAdmin, givenUser, goodPassword, openBrowser } from './browser.ts'
import { adminPassword, startAuthAlone } from './running-auth.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
let root: Principal
let rootId: string
beforeAll(async () => {
  auth = await startAuthAlone()
  const { browser, user } = await givenSuperAdmin(auth, adminPassword)
  root = await browser.principal()
  rootId = user._id
})
afterAll(() => auth.stop())

const signOut = (by: Principal, id: string) => auth.api.as(by).call(authAdminRoutes.endUserSessions, { params: { id } })
async function givenAdmin() {
  const given = await givenUser(auth)
  await auth.sql('update users set is_admin = true where id = $1', [given.user._id])
  return { ...given, principal: await given.browser.principal() }
}

describe('an admin', () => {
  it('an admin signs a user out everywhere, immediately and with an audit entry', async () => {
    const admin = await givenAdmin()
    const { user, browser, username } = await givenUser(auth)
    const second = openBrowser(auth)
    await second.call(authRoutes.login, { identifier: username, password: goodPassword })
    const waitingForCode = openBrowser(auth)
    await auth.sql('update users set email_verified = false where id = $1', [user._id])
    await waitingForCode.call(authRoutes.login, { identifier: username, password: goodPassword })
    expect(await auth.sql('select from pending_sign_ins where user_id = $1', [user._id])).toHaveLength(1)
    const signals: string[] = []
    const forget = auth.signal.subscribe('principal-changed', ({ userId }) => signals.push(userId))
    expect(await signOut(admin.principal, user._id)).toMatchObject({ status: 200, body: { ended: 2 } })
    await expect.poll(() => signals).toContain(user._id)
    forget()
    expect(await auth.sql('select from pending_sign_ins where user_id = $1', [user._id])).toEqual([])
    for (const gone of [browser, second]) {
      expect((await gone.principal()).kind).toBe('guest')
      expect((await gone.call(authRoutes.refresh)).status).toBe(401)
    }
    const { entries } = (await auth.api.as(root).call(auditRoutes.list, { query: { limit: 1 } })).body
    expect(entries).toMatchObject([
      {
        ...{ action: 'user.signed-out', actor: { username: admin.username }, target: { id: user._id } },
        ...{ before: null, after: { ended: 2 }, reversible: false },
      },
    ])
    expect((await signOut(admin.principal, user._id)).body).toEqual({ ended: 0 })
    expect((await auth.api.as(root).call(auditRoutes.list, { query: { limit: 1 } })).body.entries).toEqual(entries)
  })

  it('an admin cannot sign out admins, the super admin, themselves or unknown users', async () => {
    const [admin, other] = [await givenAdmin(), await givenAdmin()]
    const asked = [other.user._id, rootId, admin.user._id, 'nobody-at-all']
    const answers = await Promise.all(asked.map((id) => signOut(admin.principal, id)))
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 404])
    expect((await other.browser.principal()).kind).toBe('user')
  })
})

it('the super admin can sign out an admin, but not themselves', async () => {
  const admin = await givenAdmin()
  expect(await signOut(root, admin.user._id)).toMatchObject({ status: 200, body: { ended: 1 } })
  const { entries } = (await auth.api.as(root).call(auditRoutes.list, { query: { target: admin.user._id } })).body
  expect(entries).toMatchObject([{ action: 'user.signed-out', after: { ended: 1 } }])
  expect((await signOut(root, rootId)).status).toBe(403)
})
