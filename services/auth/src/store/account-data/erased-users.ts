import { anonymousId, erasedHash } from '@parley/kit'
import { type Kysely, sql } from 'kysely'
import type { AuthTables } from '../tables.ts'

/** The name that an erased user has in the audit log. */
export const deletedName = 'deleted user'

/** An entry as it may be kept: users who were erased are anonymous in it. */
export async function withoutErased<Entry extends { readonly id: string; readonly actorId: string }>(
  db: Kysely<AuthTables>,
  entry: Entry,
): Promise<{ readonly entry: Entry; readonly actorErased: boolean }> {
  const json = JSON.stringify(entry)
  const ids = [...new Set(json.match(/\b[0-9a-f]{32}\b/g))]
  const erased = new Set(await erasedOf(db, ids))
  const kept = [...erased].reduce((text, id) => text.replaceAll(id, anonymousId(id)), json)
  // Its own id is no user's.
  return { entry: { ...JSON.parse(kept), id: entry.id }, actorErased: erased.has(entry.actorId) }
}

async function erasedOf(db: Kysely<AuthTables>, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const hashes = new Map(ids.map((id) => [erasedHash(id).toString('hex'), id]))
  const rows = await db
    .selectFrom('erased_users')
    .select(sql<string>`encode(id_hash, 'hex')`.as('hash'))
    .where('id_hash', 'in', ids.map(erasedHash))
    .execute()
  return rows.flatMap(({ hash }) => hashes.get(hash) ?? [])
}

/**
 * Removes traces of a user that do not go with their row: attempts, and mentions in the audit log. Matches their id only: an address is
 * chosen by the user, and may be part of other people's text.
 */
export async function forgetTraces(tx: Kysely<AuthTables>, id: string): Promise<void> {
  const name = anonymousId(id)
  const without = (column: 'before' | 'after') => sql`replace(${sql.ref(column)}::text, ${id}, ${name})::jsonb`
  const told = sql`concat(before::text, after::text)`
  await sql`
    update audit set
      actor_name = case when actor_id = ${id} then ${deletedName} else actor_name end,
      actor_id = case when actor_id = ${id} then ${name} else actor_id end,
      target = case when target = ${id} then ${name} else target end,
      target_name = case when target = ${id} then ${deletedName} else target_name end,
      reversible = reversible and target is distinct from ${id},
      before = ${without('before')},
      after = ${without('after')}
    where actor_id = ${id} or target = ${id} or strpos(${told}, ${id}) > 0
  `.execute(tx)
  await sql`delete from sign_in_tries where strpos(key, ${id}) > 0`.execute(tx)
}
