import type pg from 'pg'

/** Whether one of the ids is a whole value in the event, at any depth: as part of a text it may belong to something else. */
const names = `exists (
  select from unnest($1::text[]) as t (id) where jsonb_path_exists(event, '$.** ? (@ == $id)', jsonb_build_object('id', id))
)`

/** So many events are searched in far less time than a statement may take, however large they are. */
const searchedAtOnce = 1_000

/** Of the events after a position; `last` is where the next ones begin, or null after the end. */
const forgetPart = `
  with part as materialized (
    select position, topic, event from bus.log where position > $2 order by position limit ${searchedAtOnce}
  ), named as materialized (
    select position, exists (select from bus.offsets o where o.topic = part.topic and o.position < part.position) as awaited
    from part where ${names}
  ), gone as (
    delete from bus.log where position in (select position from named where not awaited)
  )
  select case when count(*) = ${searchedAtOnce} then max(position) end as last,
    exists (select from named where awaited) as awaited
  from part`

/**
 * Removes events that name any of these ids and that every group of their topic has handled, and all dead letters that do, or whose error does.
 * Reads the whole log, in parts. Resolves to false while there are events left that a group has still to handle.
 */
export async function forget(pool: pg.Pool, ids: readonly string[]): Promise<boolean> {
  const wanted = ids.filter((id) => id !== '')
  await pool.query(
    `delete from bus.dead_letters where ${names} or regexp_split_to_array(error, '[^[:alnum:]_-]+') && $1::text[]`,
    [wanted],
  )
  let isAwaited = false
  for (let after: string | null | undefined = '0'; after != null; ) {
    const { rows }: pg.QueryResult<{ last: string | null; awaited: boolean }> = await pool.query(forgetPart, [
      wanted,
      after,
    ])
    isAwaited ||= rows[0]?.awaited === true
    after = rows[0]?.last
  }
  return !isAwaited
}
