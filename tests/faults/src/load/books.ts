import { type Receipt, usageRoutes } from '@parley/contracts'
import { ledgerFaults, waitUntil } from '@parley/testing'
import type { Stage } from '../stage.ts'

/** A generation in billing's tables. */
export interface Booked {
  readonly id: string
  readonly state: 'held' | 'expired' | 'captured' | 'released'
  readonly source: 'web' | 'key'
  /** Null until its end event was consumed. */
  readonly outcome: string | null
  /** Credits captured in the ledger. */
  readonly captured: number
  /** Number of capture entries in the ledger. */
  readonly captures: number
}

/** Everything that billing recorded of a load. */
export interface Books {
  readonly generations: ReadonlyMap<string, Booked>
  /** As the users get them over HTTP. */
  readonly receipts: ReadonlyMap<string, Receipt>
  /** Users whose ledger does not match their balance, or whose balance was negative. */
  readonly wrongAccounts: readonly string[]
}

const limitMs = 300_000
const pageSize = 200

/** The database's current time; generations of the load are later. */
export async function startOfBooks({ query }: Stage): Promise<Date> {
  const [row] = await query<{ at: Date }>('select clock_timestamp() as at')
  if (row === undefined) throw new Error('The database does not tell the time')
  return row.at
}

/** How many seconds the oldest unrenewed hold is past its limit; 0 for none. */
export async function longestOverdue({ query }: Stage): Promise<number> {
  const [row] = await query<{ seconds: number | null }>(
    "select extract(epoch from clock_timestamp() - min(expires_at))::float8 as seconds from billing.holds where state = 'held'",
  )
  return Math.max(0, row?.seconds ?? 0)
}

/** Reads the books once the ends of these generations and of all charged ones have been consumed and, with `allSettled`, no hold is left. */
export async function readBooks(
  stage: Stage,
  { since, ended, allSettled }: { since: Date; ended: readonly string[]; allSettled: boolean },
): Promise<Books> {
  const open = async (): Promise<number> => {
    const [row] = await stage.query<{ open: number }>(
      `select count(*)::int as open from billing.holds left join billing.generations using (generation_id)
       where holds.created_at >= $1 and ((state = 'held' and $2) or (outcome is null and (state = 'captured' or generation_id = any($3))))`,
      [since, allSettled, ended],
    )
    return row?.open ?? 0
  }
  await waitUntil(async () => (await open()) === 0, 'every end to be booked', limitMs, 200)
  const generations = await stage.query<Booked & { user_id: string }>(
    `select holds.generation_id as id, holds.user_id, state, coalesce(source, 'web') as source, outcome,
       coalesce(sum(ledger.amount), 0)::int as captured, count(ledger.id)::int as captures
     from billing.holds left join billing.generations using (generation_id)
       left join billing.ledger on ledger.generation_id = holds.generation_id and ledger.kind = 'capture'
     where holds.created_at >= $1 group by holds.generation_id, holds.user_id, state, source, outcome`,
    [since],
  )
  const wrong = await stage.query<{ user_id: string }>(ledgerFaults.unbalanced)
  const receipts = await Promise.all(stage.users.map(({ api }) => receiptsSince(api, since)))
  return {
    generations: new Map(generations.map((one) => [one.id, one])),
    receipts: new Map(receipts.flat().map((receipt) => [receipt.generationId, receipt])),
    wrongAccounts: wrong.map(({ user_id }) => user_id),
  }
}

async function receiptsSince(api: Stage['users'][number]['api'], since: Date): Promise<Receipt[]> {
  const found: Receipt[] = []
  let cursor: string | undefined
  do {
    const next: Record<string, string> = cursor === undefined ? {} : { cursor }
    const page = await api.call(usageRoutes.receipts, {
      query: { limit: pageSize, from: since.toISOString(), ...next },
    })
    if (page.status !== 200) throw new Error(`receipts: ${page.text}`)
    found.push(...page.body.items)
    cursor = page.body.nextCursor ?? undefined
  } while (cursor !== undefined)
  return found
}
