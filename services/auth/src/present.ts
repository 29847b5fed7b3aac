import {
  type AdminUser,
  type AuditEntry,
  type auditTargetTypes,
  defaultPreferences,
  type Locale,
  type Rights,
  type Session,
  type User,
} from '@parley/contracts'
import type { Account } from './store/account.ts'
import type { AuditRow } from './store/administration/audit-store.ts'
import type { SessionRow } from './store/sessions/session-store.ts'

const time = (date: Date | null): string | null => date?.toISOString() ?? null

/** A user as they see themself. */
export const presentUser = (account: Account): User => ({
  _id: account.id,
  username: account.username,
  email: account.email,
  displayName: account.displayName,
  isAdmin: account.isAdmin,
  isSuperAdmin: account.isSuperAdmin,
  isBanned: account.isBanned,
  emailVerified: account.emailVerified,
  authType: account.authType,
  hasPassword: account.hasPassword,
  emailProblem: account.emailProblem,
  preferences: { ...defaultPreferences, ...account.preferences },
  createdAt: account.createdAt.toISOString(),
  lastLoginAt: time(account.lastLoginAt),
})

/** Billing's data about a user; undefined when billing is unavailable or has none. */
export type BillingView = Pick<AdminUser, 'plan' | 'credits'> | undefined

/** A user as admins see them. */
export const presentAdminUser = (account: Account, billing: BillingView): AdminUser => ({
  _id: account.id,
  username: account.username,
  email: account.email,
  isAdmin: account.isAdmin,
  isSuperAdmin: account.isSuperAdmin,
  banned: account.isBanned,
  type: account.authType,
  createdAt: account.createdAt.toISOString(),
  lastLoginAt: time(account.lastLoginAt),
  emailVerified: account.emailVerified,
  plan: billing?.plan ?? null,
  credits: billing?.credits ?? null,
})

/** The user's rights, as the gateway asks for them. */
export const presentRights = (account: Account): Rights => ({
  isAdmin: account.isAdmin,
  isSuperAdmin: account.isSuperAdmin,
  isBanned: account.isBanned,
  emailVerified: account.emailVerified,
})

/** A device in the list of the user who is signed in on it. @param currentId the session of the call */
export const presentSession = (row: SessionRow, currentId: string): Session => ({
  id: row.id,
  current: row.id === currentId,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at.toISOString(),
  userAgent: row.user_agent,
  network: row.network.replace(/^[46]:/, ''),
})

/** What is changed by actions whose first word is not it. */
const targetTypes: Readonly<Record<string, (typeof auditTargetTypes)[number]>> = {
  'plan.assigned': 'user',
  'credits.granted': 'user',
  'models.toggled': 'provider',
  'caches.cleared': 'cache',
}

/** An entry of the audit log. */
export function presentAudit(row: AuditRow): AuditEntry {
  const type = targetTypes[row.action] ?? row.action.slice(0, row.action.indexOf('.'))
  const target = { type, id: row.target, name: row.target_name }
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: { id: row.actor_id, username: row.actor_name },
    ...(row.action === viewedAction && { viewingAs: { id: row.target ?? '', username: row.target_name ?? '' } }),
    action: row.action,
    target,
    before: row.before,
    after: row.after,
    reversible: row.reversible,
    ...(row.undone_by !== null && { undoneBy: row.undone_by }),
    ...(row.undoes !== null && { undoes: row.undoes }),
    requestId: row.request_id,
  }
}

/** An admin began to see the product as a user does. */
export const viewedAction = 'user.viewed'

/** The recipient of mails to a user, in their language. */
export function recipientOf({ email: to, username, preferences }: Account) {
  const locale: Locale = preferences.locale ?? 'en'
  return { to, username, locale }
}
