import type { DeadLetterCount } from '@parley/kit'
import type pg from 'pg'
import { deliver, isHandled } from '../deliver.ts'
import type { DeadLetter, EventBus, Subscription } from '../event-bus.ts'

/** Keeps an event that a group could not handle; a second time replaces the first. */
export async function keepDeadLetter(
  connection: { query(query: pg.QueryConfig): Promise<unknown> },
  letter: { group: string; position: string; event: unknown; error: string },
): Promise<void> {
  await connection.query({
    text: `insert into bus.dead_letters (consumer_group, position, event, error) values ($1, $2, $3, $4)
     on conflict (consumer_group, position) do update set error = excluded.error, at = now()`,
    values: [letter.group, letter.position, JSON.stringify(letter.event), letter.error],
  })
}

/** The part of a bus that looks after dead letters. */
export const createDeadLetters = (
  pool: pg.Pool,
): Pick<EventBus, 'deadLetters' | 'countDeadLetters' | 'dropDeadLetters' | 'replayDeadLetters'> => ({
  async deadLetters(group) {
    const { rows } = await pool.query<DeadLetter>(
      `select consumer_group as group, event, error, at from bus.dead_letters
       where consumer_group = $1 order by at desc, position desc limit 200`,
      [group],
    )
    return rows
  },
  async countDeadLetters(groups) {
    const { rows } = await pool.query<DeadLetterCount>(
      `select consumer_group as group, count(*)::int as count, min(at) as "oldestAt" from bus.dead_letters
       where consumer_group = any($1) group by 1 order by 1`,
      [groups],
    )
    return rows
  },
  /** A replay that holds one is waited for. */
  async dropDeadLetters(group) {
    const { rowCount } = await pool.query('delete from bus.dead_letters where consumer_group = $1', [group])
    return rowCount ?? 0
  },
  /** One try each, oldest first; those that fail again stay, with the new reason. */
  async replayDeadLetters(subscription) {
    const { rows } = await pool.query<{ position: string }>(
      'select position from bus.dead_letters where consumer_group = $1 order by position',
      [subscription.group],
    )
    let succeeded = 0
    for (const { position } of rows) if (await replay(pool, subscription, position)) succeeded += 1
    return succeeded
  },
})

/** The letter stays locked meanwhile, so that only one of two concurrent replays handles it. */
async function replay(pool: pg.Pool, { group, handlers }: Subscription, position: string): Promise<boolean> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<{ event: unknown }>(
      'select event from bus.dead_letters where consumer_group = $1 and position = $2 for update skip locked',
      [group, position],
    )
    const [letter] = rows
    const isWanted = letter !== undefined && isHandled(letter.event, handlers)
    const delivery = isWanted ? await deliver(letter.event, handlers, [], new AbortController().signal) : undefined
    if (delivery?.kind === 'done') {
      await client.query('delete from bus.dead_letters where consumer_group = $1 and position = $2', [group, position])
    } else if (delivery?.kind === 'failed') {
      await keepDeadLetter(client, { group, position, event: letter?.event, error: delivery.error })
    }
    await client.query('commit')
    client.release()
    return delivery?.kind === 'done'
  } catch (error) {
    // The connection is not used again, whatever its state.
    client.release(true)
    throw error
  }
}
