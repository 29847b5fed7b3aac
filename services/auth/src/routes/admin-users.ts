import { eventOf } from '@parley/bus'
import { authAdminRoutes, type UserPrincipal } from '@parley/contracts'
import { actingUser, mount, notFound, type ServiceClient } from '@parley/kit'
import type { IRouter } from 'express'
import { askBilling } from '../billing-view.ts'
import { nextCursor, readPage } from '../page.ts'
import type { AuthParts } from '../parts.ts'
import { ensureMayBan, ensureMayChangeAdmin, ensureMaySignOut } from '../policies.ts'
import { presentAdminUser } from '../present.ts'
import type { Account } from '../store/account.ts'
import type { UserDecision } from '../store/user-admin-store.ts'

type AdminParts = AuthParts & { readonly client: ServiceClient }

/** Admins list, ban and promote users. */
export function addAdminUserRoutes(router: IRouter, parts: AdminParts): void {
  const { userAdmin } = parts.stores
  mount(router, authAdminRoutes.stats, async () => ({ body: { stats: await userAdmin.counts() } }))
  mount(router, authAdminRoutes.users, async ({ principal, query }) => {
    const page = readPage(query)
    const rows = await userAdmin.list({ ...page, query: query.query ?? '' })
    const billing = await askBilling(
      parts,
      rows.map(({ id }) => id),
      principal.requestId,
    )
    const users = rows.map((row) => presentAdminUser(row, billing.get(row.id)))
    return { body: { users, nextCursor: nextCursor(rows, page) } }
  })
  mount(router, authAdminRoutes.updateUser, async ({ principal, params, body }) => {
    const actor = actingUser(principal)
    const outcome = await userAdmin.decide(params.id, (target) => decide(parts, actor, target, body))
    if (outcome === undefined) throw notFound()
    if (outcome.changed) await parts.tellPrincipalChanged(params.id)
    const billing = await askBilling(parts, [params.id], principal.requestId)
    return { body: { user: presentAdminUser(outcome.account, billing.get(params.id)) } }
  })
  mount(router, authAdminRoutes.endUserSessions, async ({ principal, params }) => {
    const actor = actingUser(principal)
    const ended = await userAdmin.signOut(params.id, (target) => {
      ensureMaySignOut(actor, target)
      const entry = { id: parts.newId(), actorId: actor.userId, target: target.id, requestId: actor.requestId }
      return { ...entry, action: 'user.signed-out' }
    })
    if (ended === undefined) throw notFound()
    if (ended > 0) await parts.tellPrincipalChanged(params.id)
    return { body: { ended } }
  })
}

/** @throws AppError forbidden */
function decide(
  { newId, now }: AuthParts,
  actor: UserPrincipal,
  target: Account,
  change: UserDecision['change'],
): UserDecision {
  const entry = { id: newId(), actorId: actor.userId, target: target.id, requestId: actor.requestId }
  if ('isAdmin' in change) {
    ensureMayChangeAdmin(actor, target)
    const action = change.isAdmin ? 'user.admin-granted' : 'user.admin-removed'
    return { change, entry: { ...entry, action }, events: [] }
  }
  ensureMayBan(actor, target)
  const envelope = { id: newId(), at: now() }
  const happened = change.banned ? 'auth.user-banned' : 'auth.user-unbanned'
  return {
    change,
    entry: { ...entry, action: change.banned ? 'user.banned' : 'user.unbanned' },
    events: [eventOf(happened, target.id, { userId: target.id }, envelope)],
  }
}
