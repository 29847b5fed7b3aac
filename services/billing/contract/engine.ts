import { type Event, eventSchema } from '@parley/contracts'
import { openPostgres, type PostgresDatabase } from '@parley/db'
import { createLogger } from '@parley/kit'
import { testDatabase } from '@parley/testing'
import { type Kysely, sql } from 'kysely'
import { type BillingStores, openBillingStores } from '../src/store/index.ts'
import type { BillingDatabase } from '../src/store/schema.ts'

const log = createLogger('test', 'silent')

/** The invariants of the books, as queries that return violations. */
const rules = {
  'the sum of the deltas is the balance at every row': sql`
    select user_id from (
      select user_id, balance_after, sum(delta) over (partition by user_id order by id) as total from ledger
    ) as rows where balance_after <> total`,
  'the last balance is what the account has': sql`
    select user_id from accounts join (
      select distinct on (user_id) user_id, balance_after from ledger order by user_id, id desc
    ) as last using (user_id) where balance_after <> monthly + granted`,
  'no balance is below 0': sql`select user_id from ledger where balance_after < 0`,
  'a settled generation was charged what its one capture says': sql`
    select user_id from holds left join ledger using (generation_id, user_id)
    where state in ('captured', 'released') group by generation_id, user_id, charged, unlimited
    having charged <> coalesce(sum(ledger.amount) filter (where kind = 'capture' and not unlimited), 0)`,
  'what is held has left the balance': sql`
    select user_id from holds join ledger using (generation_id, user_id)
    where state = 'held' and kind = 'hold' and -delta <> from_monthly + from_granted`,
}

/** A row of the ledger as checked by the suites. */
export interface LedgerRow {
  readonly kind: string
  readonly amount: number
  readonly delta: number
  readonly balanceAfter: number
  readonly generationId: string | null
  readonly actorId: string | null
}

/** The stores on a database of their own, with access to its tables: for inspection, and control of time. */
export interface BillingEngine {
  readonly database: Pick<PostgresDatabase<BillingDatabase>, 'pipelined'>
  readonly db: Kysely<BillingDatabase>
  readonly stores: BillingStores
  /** Other stores on the same data, as in another replica. */
  readonly replica: BillingStores
  ledger(userId: string): Promise<readonly LedgerRow[]>
  /** All violations of the ledger's invariants, in all accounts; empty when the books are correct. */
  faults(): Promise<readonly string[]>
  /** The outbox events about a user, oldest first. */
  events(userId: string): Promise<readonly Event[]>
  /** Moves an account back in time so that its month is over. */
  endMonth(userId: string): Promise<void>
  /** Moves the start of an account's plan to this time and resets its month. */
  startPlanAt(userId: string, at: Date): Promise<void>
  /** Ends the lifetime of a hold. */
  expireHold(generationId: string): Promise<void>
  /** The number of transactions that wait for a lock. */
  waitingForLock(): Promise<number>
  /** Milliseconds until a hold's lifetime ends. */
  holdLeft(generationId: string): Promise<number>
  close(): Promise<void>
}

/** The stores on a fresh database. */
export async function openBillingEngine(): Promise<BillingEngine> {
  const { url, drop } = await testDatabase()
  const stores = openBillingStores({ url, log })
  const replica = openBillingStores({ url, log })
  await Promise.all([stores.migrate(), replica.migrate()])
  const database = openPostgres<BillingDatabase>({ url, schema: 'billing', log, max: 2 })
  const { db } = database
  return {
    database,
    db,
    stores,
    replica,
    async ledger(userId) {
      const { rows } = await sql<LedgerRow>`
        select kind, amount, delta, balance_after as "balanceAfter", generation_id as "generationId", actor_id as "actorId"
        from ledger where user_id = ${userId} order by id`.execute(db)
      return rows
    },
    async faults() {
      const found = await Promise.all(
        Object.entries(rules).map(async ([rule, query]) => {
          const { rows } = await query.execute(db)
          return rows.map((row) => `${rule}: ${JSON.stringify(row)}`)
        }),
      )
      return found.flat()
    },
    async events(userId) {
      const { rows } = await sql<{ event: unknown }>`
        select event from outbox where key = ${userId} order by position`.execute(db)
      return rows.map(({ event }) => eventSchema.parse(event))
    },
    async endMonth(userId) {
      await sql`update accounts set anchor = anchor - interval '1 month', period_start = period_start - interval '1 month',
        period_end = now() where user_id = ${userId}`.execute(db)
    },
    async startPlanAt(userId, at) {
      await sql`update accounts set anchor = ${at}, period_start = ${at}, period_end = ${at}
        where user_id = ${userId}`.execute(db)
    },
    async expireHold(generationId) {
      await sql`update holds set expires_at = clock_timestamp() - interval '1 second'
        where generation_id = ${generationId}`.execute(db)
    },
    async waitingForLock() {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows.length
    },
    async holdLeft(generationId) {
      const { rows } = await sql<{ left: number }>`
        select (extract(epoch from expires_at - clock_timestamp()) * 1000)::float8 as left
        from holds where generation_id = ${generationId}`.execute(db)
      return rows[0]?.left ?? Number.NaN
    },
    async close() {
      await Promise.all([stores.close(), replica.close(), database.close()])
      await drop()
    },
  }
}
