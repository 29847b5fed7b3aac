import {
  type AdminUser,
  defaultPreferences,
  type Locale,
  type Rights,
  type Session,
  type User,
} from '@parley/contracts'
import type { Account } from './store/account.ts'
import type { AuditRow } from './store/audit-store.ts'
import type { SessionRow } from './store/session-store.ts'

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

/** What billing knows of a user; undefined when it cannot be asked or knows nothing. */
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

/** What the gateway grants to a user. */
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

/** An entry of the audit log. */
export const presentAudit = (row: AuditRow) => ({
  id: row.id,
  at: row.at.toISOString(),
  actorId: row.actor_id,
  actorName: row.actor_name,
  action: row.action,
  target: row.target,
  before: row.before,
  after: row.after,
  requestId: row.request_id,
})

/** The language of mails to a user. */
export const localeOf = (account: Account): Locale => account.preferences.locale ?? 'en'
