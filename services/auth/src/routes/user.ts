import { authRoutes } from '@parley/contracts'
import { actingUser, mount, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import type { AuthParts } from '../parts.ts'
import { presentSession, presentUser } from '../present.ts'
import { nameTaken, sessionEnded } from '../refusals.ts'

/** A user's own profile and sessions. */
export function addUserRoutes(router: IRouter, parts: AuthParts): void {
  const { accounts, sessions } = parts.stores
  mount(router, authRoutes.profile, async ({ principal }) => {
    const account = await accounts.byId(actingUser(principal).userId)
    if (account === undefined) throw sessionEnded()
    return { body: { user: presentUser(account) } }
  })
  mount(router, authRoutes.updateProfile, async ({ principal, body }) => {
    const outcome = await accounts.changeProfile(actingUser(principal).userId, body)
    if (outcome === 'username_taken') throw nameTaken(outcome)
    if (outcome === undefined) throw sessionEnded()
    return { body: { user: presentUser(outcome) } }
  })
  mount(router, authRoutes.sessions, async ({ principal }) => {
    const { userId, sessionId } = actingUser(principal)
    const rows = await sessions.list(userId)
    return { body: { sessions: rows.map((row) => presentSession(row, sessionId)) } }
  })
  mount(router, authRoutes.endOtherSessions, async ({ principal }) => {
    const { userId, sessionId } = actingUser(principal)
    const ended = await sessions.endOthers(userId, sessionId)
    if (ended > 0) await parts.signalPrincipalChanged(userId)
    return { body: { ended } }
  })
  mount(router, authRoutes.endSession, async ({ principal, params }) => {
    const { userId } = actingUser(principal)
    if (!(await sessions.end(userId, params.id))) throw notFound()
    await parts.signalPrincipalChanged(userId)
    return {}
  })
}
