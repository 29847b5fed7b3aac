import { billingInternalRoutes, modelInternalRoutes } from '@parley/contracts'
import { differenceOf, ensureUnchanged, noLongerExists, notFound, notReversible, undoneBefore } from '@parley/kit'
import type { AuthParts } from '../parts.ts'
import type { Account } from '../store/account.ts'
import type { AuditRow } from '../store/administration/audit-store.ts'
import type { UserDecision } from '../store/administration/user-admin-store.ts'
import { presentAdminSettings, type SettingsChanges } from './settings.ts'
import { type ActingAdmin, decideUser } from './user-decision.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Undoes an act of an admin. The service that did it decides, and refuses when its target is no longer as the act left it.
 * @returns the audit entry of the undo
 * @throws AppError not_found, not_reversible, conflict, or forbidden for an actor who may not do the act
 */
export async function undo(parts: AuthParts, actor: ActingAdmin, entryId: string): Promise<AuditRow> {
  const { audit } = parts.stores
  const entry = await audit.find(entryId)
  if (entry === undefined) throw notFound('Entry not found')
  if (!entry.reversible) throw notReversible()
  const done = await audit.find(await undoWhereItWasDone(parts, actor, entry))
  if (done === undefined) throw new Error('an act was undone without an entry')
  return done
}

/** @returns the id of the audit entry of the undo */
async function undoWhereItWasDone(parts: AuthParts, actor: ActingAdmin, entry: AuditRow): Promise<string> {
  switch (entry.action.slice(0, entry.action.indexOf('.'))) {
    case 'user':
      return await undoUserChange(parts, actor, entry)
    case 'settings':
      return await undoSettings(parts, actor, entry)
    case 'plan':
    case 'key':
      return await undoElsewhere(parts, actor, entry, billingInternalRoutes.undo)
    case 'model':
    case 'models':
      return await undoElsewhere(parts, actor, entry, modelInternalRoutes.undo)
    default:
      throw notReversible()
  }
}

async function undoUserChange(parts: AuthParts, actor: ActingAdmin, entry: AuditRow): Promise<string> {
  const [target, change] = [entry.target ?? '', entry.before as UserDecision['change']]
  let id = ''
  const outcome = await parts.stores.userAdmin.decide(target, (account) => {
    const decision = decideUser(parts, actor, account, change)
    if (entry.undone_by !== null) throw undoneBefore(stateOf(account))
    ensureUnchanged(entry.after as Fields, stateOf(account))
    id = decision.entry.id
    return { ...decision, entry: { ...decision.entry, undoes: entry.id } }
  })
  if (outcome === undefined) throw noLongerExists()
  await parts.signalPrincipalChanged(target)
  return id
}

const stateOf = ({ isBanned, isAdmin }: Account): Fields => ({ banned: isBanned, isAdmin })

async function undoSettings(parts: AuthParts, actor: ActingAdmin, entry: AuditRow): Promise<string> {
  const { before, after } = differenceOf(entry.before as Fields, entry.after as Fields)
  const id = parts.newId()
  const { action, target } = entry
  const { version } = await parts.stores.settings.change(
    (present) => {
      ensureUnchanged(after, { ...presentAdminSettings(present) })
      return before as SettingsChanges
    },
    {
      ...{ id, action, target, actorId: actor.userId, requestId: actor.requestId },
      ...{ reversible: true, undoes: entry.id },
    },
  )
  await parts.signalSettingsChanged(version)
  return id
}

async function undoElsewhere(
  { client, stores }: AuthParts,
  { userId: actorId, requestId }: ActingAdmin,
  entry: AuditRow,
  route: typeof billingInternalRoutes.undo | typeof modelInternalRoutes.undo,
): Promise<string> {
  const { id: entryId, action, target } = entry
  const [before, after] = [entry.before as Fields | null, entry.after as Fields | null]
  const body = { entryId, action, target, before, after, actorId, undone: entry.undone_by !== null }
  const { id, at, ...act } = await client.call(route, { body, requestId })
  // Its event `admin-acted` comes later, and finds the entry here.
  const undone = { ...act, before: act.before, after: act.after, actorId, requestId, reversible: true, undoes: entryId }
  await stores.audit.record(id, new Date(at), undone)
  return id
}
