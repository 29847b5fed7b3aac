import { type Kysely, sql, type Transaction } from 'kysely'
import type { AuthTables } from './tables.ts'

/** So many tries in a window that begins with the first of them. */
export interface TryBudget {
  readonly key: string
  readonly tries: number
  readonly windowSeconds: number
}

/** The tries of a spent budget, and the seconds until it starts anew. */
export interface SpentBudget {
  readonly tries: number
  readonly retryAfterSeconds: number
}

/** Thrown to undo what the budgets before the spent one gave. */
class BudgetSpent extends Error {
  readonly spent: SpentBudget
  constructor(spent: SpentBudget) {
    super('a budget of tries is spent')
    this.spent = spent
  }
}

/** Tries that may fail, such as passwords. Kept in the database: losing a cache must not refill them. */
export const createTryStore = (db: Kysely<AuthTables>) => ({
  /**
   * Takes one try of every budget, or of none when one is spent: then resolves to that one.
   * No two callers take the same last try. Callers name wider budgets after narrower ones, always in the same order.
   */
  async take(budgets: readonly TryBudget[]): Promise<SpentBudget | undefined> {
    try {
      await db.transaction().execute(async (tx) => {
        for (const budget of budgets) await takeOne(tx, budget)
      })
      return undefined
    } catch (error) {
      if (error instanceof BudgetSpent) return error.spent
      throw error
    }
  },

  /** Gives back what a try that turned out right took. */
  async giveBack(budgets: readonly TryBudget[]): Promise<void> {
    const keys = budgets.map(({ key }) => key)
    await sql`update sign_in_tries set used = used - 1 where key = any(${keys}) and used > 0`.execute(db)
  },
})

async function takeOne(tx: Transaction<AuthTables>, { key, tries, windowSeconds }: TryBudget): Promise<void> {
  const taken = await sql`
    insert into sign_in_tries as t (key, used, resets_at)
    values (${key}, 1, now() + make_interval(secs => ${windowSeconds}))
    on conflict (key) do update set
      used = case when t.resets_at <= now() then 1 else t.used + 1 end,
      resets_at = case when t.resets_at <= now() then excluded.resets_at else t.resets_at end
    where t.resets_at <= now() or t.used < ${tries}
    returning 1
  `.execute(tx)
  if (taken.rows.length > 0) return
  const left = await sql<{ seconds: number }>`
    select ceil(extract(epoch from resets_at - now()))::int as seconds from sign_in_tries where key = ${key}
  `.execute(tx)
  throw new BudgetSpent({ tries, retryAfterSeconds: Math.max(1, left.rows[0]?.seconds ?? 1) })
}
