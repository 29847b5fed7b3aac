import { type Kysely, sql, type Transaction } from 'kysely'
import type { AuthTables } from './tables.ts'

/** So many tries in a window that begins with the first of them. */
export interface TryBudget {
  /** Its kind, a colon, and whose it is. */
  readonly key: string
  readonly tries: number
  readonly windowSeconds: number
}

/** The tries of a spent budget, and the seconds until it starts anew. */
export interface SpentBudget {
  readonly tries: number
  readonly retryAfterSeconds: number
}
/** What came of taking a try: taken, with the budgets whose last it was, or refused by one that is spent. */
export type Taken =
  | { readonly kind: 'taken'; readonly usedUp: readonly TryBudget[] }
  | { readonly kind: 'spent'; readonly spent: SpentBudget }

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
   * Takes one try of every budget, or of none when one is spent.
   * No two callers take the same last try. Callers name wider budgets after narrower ones, always in the same order.
   */
  async take(budgets: readonly TryBudget[]): Promise<Taken> {
    try {
      return await db.transaction().execute(async (tx) => {
        const usedUp: TryBudget[] = []
        for (const budget of budgets) if ((await takeOne(tx, budget)) === 0) usedUp.push(budget)
        return { kind: 'taken', usedUp }
      })
    } catch (error) {
      if (error instanceof BudgetSpent) return { kind: 'spent', spent: error.spent }
      throw error
    }
  },

  /** Gives back what a try that turned out right took. */
  async giveBack(budgets: readonly TryBudget[]): Promise<void> {
    // One at a time, lest this holds the wider one that somebody takes while it waits for their narrower one.
    for (const { key } of budgets) {
      await sql`update sign_in_tries set used = used - 1 where key = ${key} and used > 0`.execute(db)
    }
  },
})

/** Resolves to the tries that are left. */
async function takeOne(tx: Transaction<AuthTables>, { key, tries, windowSeconds }: TryBudget): Promise<number> {
  const taken = await sql<{ used: number }>`
    insert into sign_in_tries as t (key, used, resets_at)
    values (${key}, 1, now() + make_interval(secs => ${windowSeconds}))
    on conflict (key) do update set
      used = case when t.resets_at <= now() then 1 else t.used + 1 end,
      resets_at = case when t.resets_at <= now() then excluded.resets_at else t.resets_at end
    where t.resets_at <= now() or t.used < ${tries}
    returning used
  `.execute(tx)
  if (taken.rows[0] !== undefined) return tries - taken.rows[0].used
  const left = await sql<{ seconds: number }>`
    select ceil(extract(epoch from resets_at - now()))::int as seconds from sign_in_tries where key = ${key}
  `.execute(tx)
  throw new BudgetSpent({ tries, retryAfterSeconds: Math.max(1, left.rows[0]?.seconds ?? 1) })
}
