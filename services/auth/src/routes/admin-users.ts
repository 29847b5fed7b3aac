import { adminUserSchema, authAdminRoutes } from '@parley/contracts'
import { actingUser, answerList, type Call, mount, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import { knownPlansOf, totalsOf } from '../administration/billing-view.ts'
import { ensureMaySignOut, ensureMayViewAs } from '../administration/policies.ts'
import { decideUser } from '../administration/user-decision.ts'
import { listUsers } from '../administration/user-list.ts'
import type { AuthParts } from '../parts.ts'
import { presentAdminUser, presentUser, viewedAction } from '../present.ts'
import { alreadyVerified, mailedAlready } from '../refusals.ts'
import type { Account } from '../store/account.ts'
import { requestVerification, resendSeconds } from '../verification/verification.ts'

type ActOnUser = Pick<Call<typeof authAdminRoutes.viewAs>, 'principal' | 'requestId' | 'params'>

const flagOf = (flag: 'true' | 'false' | undefined): boolean | undefined => flag && flag === 'true'

/** Admins list, ban and promote users, look at one of them, mail one another code, and see the product as one does. */
export function addAdminUserRoutes(router: IRouter, parts: AuthParts): void {
  const { userAdmin, accounts, audit } = parts.stores
  const shownUser = async (account: Account, requestId: string) =>
    presentAdminUser(account, (await knownPlansOf({ ...parts, requestId }, [account.id])).get(account.id))
  const requireUser = async (id: string): Promise<Account> => {
    const account = await accounts.byId(id)
    if (account === undefined) throw notFound()
    return account
  }
  const entryOf = ({ principal, requestId, params }: ActOnUser, action: string) => {
    const { userId: actorId } = actingUser(principal)
    return { id: parts.newId(), actorId, target: params.id, requestId, action }
  }
  mount(router, authAdminRoutes.stats, async () => ({ body: { stats: await userAdmin.counts() } }))
  mount(router, authAdminRoutes.activeUsers, async () => ({ body: await userAdmin.activity() }))
  mount(router, authAdminRoutes.users, ({ requestId, query }) => {
    const { banned, admin, plan } = query
    const filter = { ...query, banned: flagOf(banned), admin: flagOf(admin) }
    const list = (page: Parameters<typeof listUsers>[1]) => listUsers({ ...parts, requestId }, page, filter, plan)
    return answerList(query, { name: 'users', row: adminUserSchema, list })
  })
  mount(router, authAdminRoutes.user, async ({ requestId, params }) => {
    const account = await requireUser(params.id)
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
  mount(router, authAdminRoutes.endUserSessions, async (call) => {
    const { id } = call.params
    const ended = await userAdmin.signOut(id, (target) => {
      ensureMaySignOut(actingUser(call.principal), target)
      return entryOf(call, 'user.signed-out')
    })
    if (ended === undefined) throw notFound()
    if (ended > 0) await parts.signalPrincipalChanged(id)
    return { body: { ended } }
  })
  mount(router, authAdminRoutes.resendVerification, async (call) => {
    const target = await requireUser(call.params.id)
    if (target.emailVerified) throw alreadyVerified()
    if (!(await requestVerification(parts, target.id, resendSeconds))) throw mailedAlready(resendSeconds)
    await audit.write(entryOf(call, 'user.verification-resent'))
    await parts.signalAdminActed()
    return { body: { user: await shownUser(target, call.requestId) } }
  })
  mount(router, authAdminRoutes.viewAs, async (call) => {
    const actor = actingUser(call.principal)
    const target = await requireUser(call.params.id)
    ensureMayViewAs(actor, target)
    await audit.write(entryOf(call, viewedAction))
    await parts.signalAdminActed()
    const { token, expiresAt } = await parts.tokens().signViewAs(target.id, actor)
    return { body: { token, user: presentUser(target), expiresAt: expiresAt.toISOString() } }
  })
}
