import { sql, type Transaction } from 'kysely'
import { exportReadme } from '../../account-data/data-export-readme.ts'
import type { AuthTables } from '../tables.ts'
import { filesLeftOut } from './data-export-pieces.ts'

const namesLeftOut = 100
/** How many of an admin's latest acts are included. */
const mostActs = 10_000

/** Adds auth's own part to an export that has all the others, and makes it available for seven days. */
export async function completeExport(tx: Transaction<AuthTables>, exportId: string, userId: string): Promise<void> {
  const completed = await tx
    .updateTable('data_exports')
    .set({ state: 'ready', expires_at: sql<Date>`now() + interval '7 days'` })
    .where('id', '=', exportId)
    .returning(['requested_at', sql<Date>`now()`.as('completed_at')])
    .executeTakeFirstOrThrow()
  const account = await accountPart(tx, userId)
  const readme = exportReadme({
    username: account.username,
    requestedAt: completed.requested_at,
    completedAt: completed.completed_at,
    leftOut: await filesLeftOut(tx, exportId, namesLeftOut),
  })
  const own = { 'README.md': readme, 'account.json': `${JSON.stringify(account, undefined, 2)}\n` }
  await tx
    .insertInto('data_export_pieces')
    .values(
      Object.entries(own).map(([path, text]) => ({
        ...{ export_id: exportId, service: 'auth', path, piece: 0 },
        data: Buffer.from(text),
      })),
    )
    .execute()
}

/** Auth's own data about a user, without secrets that prove their identity. */
async function accountPart(tx: Transaction<AuthTables>, userId: string) {
  const user = await tx.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    emailVerified: user.email_verified,
    emailProblem: user.email_problem,
    firstVerifiedAt: user.first_verified_at,
    displayName: user.display_name,
    authType: user.auth_type,
    isAdmin: user.is_admin,
    isSuperAdmin: user.is_super_admin,
    bannedAt: user.banned_at,
    preferences: user.preferences,
    createdAt: user.created_at,
    lastLoginAt: user.last_login_at,
    lastSeenAt: user.last_seen_at,
    passwordChangedAt: (await passwordOf(tx, userId))?.changed_at ?? null,
    sessions: await sessionsOf(tx, userId),
    emailChanges: await emailChangesOf(tx, userId),
    linkedSignIns: await identitiesOf(tx, userId),
    administration: await actsOf(tx, userId),
  }
}

const passwordOf = async (tx: Transaction<AuthTables>, userId: string) =>
  await tx.selectFrom('credentials').select('changed_at').where('user_id', '=', userId).executeTakeFirst()

const sessionsOf = async (tx: Transaction<AuthTables>, userId: string) =>
  await tx
    .selectFrom('sessions')
    .select([
      'created_at as createdAt',
      'last_used_at as lastUsedAt',
      'expires_at as expiresAt',
      'ended_at as endedAt',
      'user_agent as userAgent',
      sql<string>`regexp_replace(network, '^[46]:', '')`.as('network'),
    ])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()

const emailChangesOf = async (tx: Transaction<AuthTables>, userId: string) =>
  await tx
    .selectFrom('email_changes')
    .select(['at', 'old_email as from', 'new_email as to'])
    .where('user_id', '=', userId)
    .orderBy('at')
    .execute()

const identitiesOf = async (tx: Transaction<AuthTables>, userId: string) =>
  await tx
    .selectFrom('identities')
    .select(['issuer', 'subject', 'created_at as linkedAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()

/** Targets may be other people, of whom at most ids are included. */
const actsOf = async (tx: Transaction<AuthTables>, userId: string) =>
  await tx
    .selectFrom('audit')
    .select(['at', 'action', 'target'])
    .where('actor_id', '=', userId)
    .orderBy('seq', 'desc')
    .limit(mostActs)
    .execute()
