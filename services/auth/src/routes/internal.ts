import { authInternalRoutes, mostMatches } from '@parley/contracts'
import { mount, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import { presentSettings } from '../administration/settings.ts'
import type { AuthParts } from '../parts.ts'
import { presentRights, recipientOf } from '../present.ts'
import { issueCode } from '../verification/verification.ts'
import { addRecipientRoutes } from './recovery.ts'

const nothing = { isAdmin: false, isSuperAdmin: false, isBanned: false, emailVerified: false }

/** Routes for other services. */
export function addInternalRoutes(router: IRouter, parts: AuthParts): void {
  const { emails, sessions, settings } = parts.stores
  mount(router, authInternalRoutes.principal, async ({ params }) => {
    const account = await sessions.principal(params.userId, params.sessionId)
    return { body: { active: account !== undefined, rights: account ? presentRights(account) : nothing } }
  })
  mount(router, authInternalRoutes.rights, async ({ params }) => {
    const account = await parts.stores.accounts.byId(params.id)
    if (account === undefined) throw notFound()
    return { body: { rights: presentRights(account) } }
  })
  mount(router, authInternalRoutes.usernames, async ({ body }) => {
    const { userAdmin } = parts.stores
    const page = { limit: body.among?.length ?? mostMatches, after: undefined }
    const [users, matches] = await Promise.all([
      userAdmin.names(body.userIds),
      body.query
        ? userAdmin.places(page, { query: body.query, ids: body.among, sort: 'createdAt', order: 'desc' })
        : [],
    ])
    return { body: { users, matches: matches.map(({ id }) => id) } }
  })
  mount(router, authInternalRoutes.settings, async () => {
    const present = await settings.read()
    return { body: { version: present.version, settings: presentSettings(present.settings) } }
  })
  mount(router, authInternalRoutes.recordAct, async ({ body: { id, at, ...acted } }) => {
    await parts.stores.audit.record(id, new Date(at), acted)
    await parts.signalAdminActed()
    return {}
  })
  mount(router, authInternalRoutes.issueCode, async ({ params }) => ({ body: await issueCode(parts, params.id) }))
  addRecipientRoutes(router, parts)
  mount(router, authInternalRoutes.emailChange, async ({ params }) => {
    const change = await emails.find(params.id)
    if (change === undefined) throw notFound()
    const { account, oldEmail, at } = change
    return { body: { ...recipientOf(account), to: oldEmail, changedAt: at.toISOString() } }
  })
}
