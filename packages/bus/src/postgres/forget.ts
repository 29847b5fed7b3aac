import type pg from 'pg'

/** Whether one of the ids is a whole value in the event, at any depth: as part of a text it may belong to something else. */
const names = `exists (
  select from unnest($1::text[]) as t (id) where jsonb_path_exists(event, '$.** ? (@ == $id)', jsonb_build_object('id', id))
)`

/**
 * Removes events that name any of these ids and that every group of their topic has handled, and all dead letters that do, or whose error does.
 * Reads the whole log. Resolves to false while there are events left that a group has still to handle.
 */
export async function forget(pool: pg.Pool, ids: readonly string[]): Promise<boolean> {
  const wanted = ids.filter((id) => id !== '')
  await pool.query(
    `delete from bus.dead_letters where ${names} or regexp_split_to_array(error, '[^[:alnum:]_-]+') && $1::text[]`,
    [wanted],
  )
  const { rows } = await pool.query<{ awaited: boolean }>(
    `with named as materialized (
      select position, exists (select from bus.offsets o where o.topic = l.topic and o.position < l.position) as awaited
      from bus.log as l where ${names}
    ), gone as (
      delete from bus.log where position in (select position from named where not awaited)
    )
    select from named where awaited limit 1`,
    [wanted],
  )
  return rows.length === 0
}
