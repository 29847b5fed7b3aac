import { type Kysely, sql, type Transaction } from 'kysely'
import type { AuthTables } from '../tables.ts'

/** A number of attempts in a window that begins with the first of them. */
export interface AttemptBudget {
  /** Its kind, a colon, and whose it is. */
  readonly key: string
  readonly attempts: number
  readonly windowSeconds: number
}

/** The size of an exhausted budget, and the seconds until it starts over. */
export interface ExhaustedBudget {
  readonly attempts: number
  readonly retryAfterSeconds: number
}
/** The result of an attempt: taken, with the budgets that it exhausted, or refused by one that is exhausted. */
export type Taken =
  | { readonly kind: 'taken'; readonly usedUp: readonly AttemptBudget[] }
  | { readonly kind: 'exhausted'; readonly exhausted: ExhaustedBudget }

/** Thrown to undo what the budgets before the exhausted one gave. */
class BudgetExhausted extends Error {
  readonly exhausted: ExhaustedBudget
  constructor(exhausted: ExhaustedBudget) {
    super('a budget of attempts is exhausted')
    this.exhausted = exhausted
  }
}

/** Counts attempts that may fail, such as passwords. In the database, since losing a cache must not refill them. */
export const createAttemptStore = (db: Kysely<AuthTables>) => ({
  /**
   * Takes one attempt of every budget, or of none when one is exhausted.
   * No two callers take the same last attempt. Callers name wider budgets after narrower ones, always in the same order.
   */
  async take(budgets: readonly AttemptBudget[]): Promise<Taken> {
    try {
      return await db.transaction().execute(async (tx) => {
        const usedUp: AttemptBudget[] = []
        for (const budget of budgets) if ((await takeOne(tx, budget)) === 0) usedUp.push(budget)
        return { kind: 'taken', usedUp }
      })
    } catch (error) {
      if (error instanceof BudgetExhausted) return { kind: 'exhausted', exhausted: error.exhausted }
      throw error
    }
  },

  /** Gives back what an attempt that turned out right took. */
  async giveBack(budgets: readonly AttemptBudget[]): Promise<void> {
    // One at a time, lest this holds the wider one that another caller takes while it waits for that caller’s narrower one.
    for (const { key } of budgets) {
      await sql`update sign_in_tries set used = used - 1 where key = ${key} and used > 0`.execute(db)
    }
  },
})

/** Resolves to the attempts that are left. */
async function takeOne(tx: Transaction<AuthTables>, { key, attempts, windowSeconds }: AttemptBudget): Promise<number> {
  const taken = await sql<{ used: number }>`
    insert into sign_in_tries as t (key, used, resets_at)
    values (${key}, 1, now() + make_interval(secs => ${windowSeconds}))
    on conflict (key) do update set
      used = case when t.resets_at <= now() then 1 else t.used + 1 end,
      resets_at = case when t.resets_at <= now() then excluded.resets_at else t.resets_at end
    where t.resets_at <= now() or t.used < ${attempts}
    returning used
  `.execute(tx)
  if (taken.rows[0] !== undefined) return attempts - taken.rows[0].used
  const left = await sql<{ seconds: number }>`
    select ceil(extract(epoch from resets_at - now()))::int as seconds from sign_in_tries where key = ${key}
  `.execute(tx)
  throw new BudgetExhausted({ attempts, retryAfterSeconds: Math.max(1, left.rows[0]?.seconds ?? 1) })
}
