import { adminUserSchema, authAdminRoutes } from '@parley/contracts'
import { actingUser, answerList, mount, notFound, type ServiceClient } from '@parley/kit'
import type { IRouter } from 'express'
import { knownPlansOf, totalsOf } from '../administration/billing-view.ts'
import { ensureMaySignOut, ensureMayViewAs } from '../administration/policies.ts'
import { decideUser } from '../administration/user-decision.ts'
import { listUsers } from '../administration/user-list.ts'
import type { AuthParts } from '../parts.ts'
import { presentAdminUser, presentUser, viewedAction } from '../present.ts'
import { alreadyVerified, mailedAlready } from '../refusals.ts'
import { requestVerification, resendSeconds } from '../verification/verification.ts'

type AdminParts = AuthParts & { readonly client: ServiceClient }

const flagOf = (flag: 'true' | 'false' | undefined): boolean | undefined => flag && flag === 'true'

/** Admins list, ban and promote users, look at one of them, mail one another code, and see the product as one does. */
export function addAdminUserRoutes(router: IRouter, parts: AdminParts): void {
  const { userAdmin, accounts } = parts.stores
  const shownUser = async (account: NonNullable<Awaited<ReturnType<typeof accounts.byId>>>, requestId: string) =>
    presentAdminUser(account, (await knownPlansOf({ ...parts, requestId }, [account.id])).get(account.id))
  mount(router, authAdminRoutes.stats, async () => ({ body: { stats: await userAdmin.counts() } }))
  mount(router, authAdminRoutes.activeUsers, async () => ({ body: await userAdmin.activity() }))
  mount(router, authAdminRoutes.users, ({ requestId, query }) => {
    const { banned, admin, plan } = query
    const filter = { ...query, banned: flagOf(banned), admin: flagOf(admin) }
    const list = (page: Parameters<typeof listUsers>[1]) => listUsers({ ...parts, requestId }, page, filter, plan)
    return answerList(query, { name: 'users', row: adminUserSchema, list })
  })
  mount(router, authAdminRoutes.user, async ({ requestId, params }) => {
    const account = await accounts.byId(params.id)
    if (account === undefined) throw notFound()
    const [user, sessions, totals] = await Promise.all([
      shownUser(account, requestId),
      userAdmin.countSessions(account.id),
      totalsOf({ ...parts, requestId }, account.id),
    ])
    return { body: { user, sessions, keys: totals?.keys ?? null, usage: totals?.usage ?? null } }
  })
  mount(router, authAdminRoutes.updateUser, async ({ principal, requestId, params, body }) => {
    const actor = { ...actingUser(principal), requestId }
    const outcome = await userAdmin.decide(params.id, (target) => decideUser(parts, actor, target, body))
    if (outcome === undefined) throw notFound()
    if (outcome.changed) await parts.signalPrincipalChanged(params.id)
    return { body: { user: await shownUser(outcome.account, requestId) } }
  })
  mount(router, authAdminRoutes.endUserSessions, async ({ principal, requestId, params }) => {
    const actor = actingUser(principal)
    const ended = await userAdmin.signOut(params.id, (target) => {
      ensureMaySignOut(actor, target)
      const entry = { id: parts.newId(), actorId: actor.userId, target: target.id, requestId }
      return { ...entry, action: 'user.signed-out' }
    })
    if (ended === undefined) throw notFound()
    if (ended > 0) await parts.signalPrincipalChanged(params.id)
    return { body: { ended } }
  })
  mount(router, authAdminRoutes.resendVerification, async ({ principal, requestId, params }) => {
    const target = await accounts.byId(params.id)
    if (target === undefined) throw notFound()
    if (target.emailVerified) throw alreadyVerified()
    if (!(await requestVerification(parts, target.id, resendSeconds))) throw mailedAlready(resendSeconds)
    const entry = { id: parts.newId(), actorId: actingUser(principal).userId, target: target.id, requestId }
    await parts.stores.audit.write({ ...entry, action: 'user.verification-resent' })
    await parts.signalAdminActed()
    return { body: { user: await shownUser(target, requestId) } }
  })
  mount(router, authAdminRoutes.viewAs, async ({ principal, requestId, params }) => {
    const actor = actingUser(principal)
    const target = await accounts.byId(params.id)
    if (target === undefined) throw notFound()
    ensureMayViewAs(actor, target)
    const entry = { id: parts.newId(), actorId: actor.userId, target: target.id, requestId }
    await parts.stores.audit.write({ ...entry, action: viewedAction })
    await parts.signalAdminActed()
    const { token, expiresAt } = await parts.tokens().signViewAs(target.id, actor)
    return { body: { token, user: presentUser(target), expiresAt: expiresAt.toISOString() } }
  })
}
