import type { Span } from '@parley/kit'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Settled } from '../receipts/receipt.ts'
import type { BillingDatabase } from './schema.ts'

/** The cursor of a page: the time and id of the preceding generation. */
export type ReceiptPlace = Pick<Settled, 'at' | 'generationId'>

/** A page of receipts. */
export interface ReceiptPage extends Span {
  readonly limit: number
  readonly after: ReceiptPlace | undefined
}

const rowsAtOnce = 1_000

/** The costs of generations, from the ledger, without running ones. */
export const createReceiptStore = (db: Kysely<BillingDatabase>) => ({
  /** A user's receipts, newest first. */
  list: (userId: string, page: ReceiptPage): Promise<readonly Settled[]> => list(db, userId, page),

  /** All of them, in parts. */
  async *every(userId: string, span: Span): AsyncGenerator<readonly Settled[]> {
    let after: ReceiptPlace | undefined
    do {
      const page = await list(db, userId, { ...span, limit: rowsAtOnce, after })
      yield page
      after = page.length < rowsAtOnce ? undefined : page.at(-1)
    } while (after !== undefined)
  },

  /** Undefined when it is not this user's. @param id of the generation, or the answer's id that the program received; the newest one if a provider repeats ids */
  async find(userId: string, id: string): Promise<Settled | undefined> {
    const ids = sql`select generation_id from generations where generation_id = ${id}
      union all select generation_id from generations where user_id = ${userId} and answer_id = ${id}`
    const [settled] = await read(db, sql`g.user_id = ${userId} and g.generation_id in (${ids})`, 1)
    return settled
  },

  /** Whether a recent generation of this user is running, or the news of its end is still on the way. */
  async isAwaiting(userId: string): Promise<boolean> {
    const { rows } = await sql`
      select from generations where user_id = ${userId} and at > now() - interval '15 minutes' and outcome is null
      limit 1`.execute(db)
    return rows.length > 0
  },
})

const list = (db: Kysely<BillingDatabase>, userId: string, { from, until, after, limit }: ReceiptPage) =>
  read(
    db,
    sql`g.user_id = ${userId}
      and at >= coalesce(${from ?? null}, '-infinity'::timestamptz) and at < coalesce(${until ?? null}, 'infinity'::timestamptz)
      and (${after?.at ?? null}::timestamptz is null or (at, generation_id collate "C") < (${after?.at ?? null}, ${after?.generationId ?? null}))`,
    limit,
  )

/**
 * An ended hold whose generation's end has not arrived is read from the hold alone. One that was charged by a call, with its event still on
 * the way, is left out until the event arrives.
 */
async function read(db: Kysely<BillingDatabase>, wanted: RawBuilder<unknown>, limit: number): Promise<Settled[]> {
  const { rows } = await sql<Settled>`
    select generation_id as "generationId", at, model, source, key_id as "keyId", outcome,
      coalesce(held, 0) as held, coalesce(charged, 0) as charged, coalesce(returned, 0) as returned,
      coalesce(released and captured, false) as late, coalesce(unlimited, false) as unlimited,
      coalesce(input_tokens, 0) as "inputTokens", coalesce(output_tokens, 0) as "outputTokens",
      coalesce(estimated, false) as estimated, coalesce(l.balance_after, g.balance_after, 0) as "balanceAfter"
    from generations g, lateral (
      select -(sum(delta) filter (where kind = 'hold')) as held,
        sum(greatest(delta, 0)) filter (where kind <> 'hold') as returned,
        bool_or(kind = 'release') as released, bool_or(kind = 'capture') as captured,
        bool_or(kind = 'hold' and amount > 0 and delta = 0) as unlimited,
        (array_agg(balance_after order by id desc))[1] as balance_after
      from ledger where ledger.generation_id = g.generation_id
    ) as l
    where ${wanted} and (outcome is not null or (released and not captured))
    order by at desc, generation_id collate "C" desc limit ${limit}`.execute(db)
  return rows
}
