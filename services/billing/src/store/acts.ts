import type { Event } from '@parley/contracts'
import type { PostgresDatabase, Send } from '@parley/db'
import { type AddToBatch, AppError, type Batched, createBatches } from '@parley/kit'
import {
  changesCredits,
  type Decision,
  type Entry,
  type Found,
  type Generation,
  type OnCreditsChanged,
} from '../credits/account.ts'
import { begin, commit, type Loaded, loadAccounts, makeAccounts, type Written, writeBooks } from './books.ts'
import type { BillingDatabase } from './schema.ts'

/** A decision about one account, and the data it needs. */
export interface Act<Result> {
  /** The account's owner; by default that of the generation's hold. */
  readonly userId?: string
  readonly generationId?: string
  /** Id of the event that requests the act, which takes effect once however often it is delivered. */
  readonly eventId?: string
  /** A caller's key for the act, which no act with another `eventId` can use after it. */
  readonly idempotencyKey?: string
  /** Creates the account, with the default plan, if it does not exist. */
  readonly makesAccount?: boolean
  /** The result when the account is locked elsewhere; without it the act waits. */
  readonly ifLocked?: Result
  decide(found: Found): Decision<Result>
  /** The result when there is no such account or hold, its user was erased, or the event was handled before. */
  readonly otherwise: Result
  /** Instead, when the event was handled before. */
  readonly ifHandled?: Result
}

/**
 * Decides an act under its account's lock and writes the decision, in one transaction.
 * @throws the error of `decide`, or AppError conflict for a key that another act has used, without a write
 */
export type RunAct = <Result>(act: Act<Result>) => Promise<Result>

type Waiting = Batched<Act<unknown>, unknown>
type Database = Pick<PostgresDatabase<BillingDatabase>, 'pipelined'>

const mostAtOnce = 100
/** Two acts may create the same hold or account concurrently: on retry the second one finds it. */
const tries = 3

/**
 * Acts that arrive together are decided in one transaction, those on one account in sequence. Accounts locked elsewhere are awaited
 * separately, on connections of their own, without delaying others.
 */
export function createActs(
  database: Database,
  forLockedAccounts: Database,
  onCreditsChanged: OnCreditsChanged,
): RunAct {
  const locked = new Map<string, AddToBatch<Act<unknown>, unknown>>()
  const waitFor = (userId: string): AddToBatch<Act<unknown>, unknown> => {
    const add =
      locked.get(userId) ??
      createBatches<Act<unknown>, unknown>((batch) => run(batch, true), {
        most: mostAtOnce,
        idle: () => locked.delete(userId),
      })
    locked.set(userId, add)
    return add
  }

  const run = async (batch: readonly Waiting[], waits: boolean, triesLeft = tries): Promise<void> => {
    // Whether the failed transaction has certainly not been committed.
    let undone = false
    try {
      const { outcomes, changedUsers } = await (waits ? forLockedAccounts : database).pipelined(async (send) => {
        const loaded = await load(
          send,
          batch.map(({ item }) => item),
          waits,
        )
        undone = true
        const decided = decideAll(loaded, batch)
        const writes = writeBooks(decided)
        undone = false
        await send(...writes, commit)
        return decided
      })
      if (changedUsers.length > 0) onCreditsChanged(changedUsers)
      for (const { waiting, result, lockedUser } of outcomes) {
        const { item: act, resolve } = waiting
        if (lockedUser === undefined) resolve(result)
        else resolve(act.ifLocked === undefined ? waitFor(lockedUser)(act) : act.ifLocked)
      }
    } catch (error) {
      if (triesLeft > 1 && (undone || isRefusal(error))) {
        for (const waiting of batch) await run([waiting], waits, triesLeft - 1)
      } else for (const { reject } of batch) reject(error)
    }
  }

  const add = createBatches<Act<unknown>, unknown>((batch) => run(batch, false), { most: mostAtOnce })
  return (act) => add(act) as Promise<never>
}

/** Locks and reads the accounts of acts, after creating missing ones. */
async function load(send: Send, acts: readonly Act<unknown>[], waits: boolean): Promise<Loaded> {
  const loaded = await loadAccounts(send, begin, acts, waits)
  const isMissing = (userId: string): boolean => !loaded.existing.has(userId) && !loaded.erased.has(userId)
  const missing = acts.flatMap(({ makesAccount, userId = '' }) => (makesAccount && isMissing(userId) ? [userId] : []))
  return missing.length === 0 ? loaded : await loadAccounts(send, makeAccounts(missing), acts, waits)
}

interface Decided extends Written {
  /** `lockedUser`: the owner of an account that is locked elsewhere. */
  readonly outcomes: readonly { readonly waiting: Waiting; readonly result: unknown; readonly lockedUser?: string }[]
  /** Users whose credits or plan have changed. */
  readonly changedUsers: readonly string[]
}

/** Decides acts in sequence, each on the state left by its predecessors. */
function decideAll(loaded: Loaded, batch: readonly Waiting[]): Decided {
  const { plans, now, existing, erased } = loaded
  const [accounts, holds, handled] = [new Map(loaded.accounts), new Map(loaded.holds), new Set(loaded.handled)]
  const [entries, events]: [Entry[], Event[]] = [[], []]
  const generations = new Map<string, Generation>()
  const outcomes = batch.map((waiting) => {
    const { item: act } = waiting
    const { generationId = '', eventId, idempotencyKey } = act
    const hold = holds.get(generationId)
    const userId = act.userId ?? hold?.userId ?? ''
    const account = accounts.get(userId)
    // The retry creates none.
    if (account?.period === 0 && erased.has(userId)) throw new Error('the account of an erased user was made')
    const instead = { waiting, result: act.otherwise }
    if (erased.has(userId)) return instead
    if (eventId !== undefined && handled.has(eventId)) return { waiting, result: act.ifHandled ?? act.otherwise }
    if (idempotencyKey !== undefined && handled.has(idempotencyKey)) throw keyUsed()
    if (account === undefined) return existing.has(userId) ? { ...instead, lockedUser: userId } : instead
    const decision = act.decide({ account, hold, plans, now })
    accounts.set(userId, decision.account)
    if (decision.hold !== undefined) holds.set(generationId, decision.hold)
    if (decision.generation !== undefined) learn(generations, decision.generation)
    entries.push(...decision.entries)
    events.push(...decision.events)
    for (const id of [eventId, idempotencyKey]) if (id !== undefined) handled.add(id)
    return { waiting, result: decision.outcome }
  })
  const changedAccounts = [...accounts.values()].filter((account) => loaded.accounts.get(account.userId) !== account)
  const changed = [...holds.values()].filter((hold) => loaded.holds.get(hold.generationId) !== hold)
  return {
    outcomes,
    accounts: changedAccounts,
    changedUsers: changedAccounts
      .filter((account) => changesCredits(loaded.accounts.get(account.userId), account))
      .map(({ userId }) => userId),
    newHolds: changed.filter(({ generationId }) => !loaded.holds.has(generationId)),
    changedHolds: changed.filter(({ generationId }) => loaded.holds.has(generationId)),
    eventIds: [...handled].filter((id) => !loaded.handled.has(id)),
    ...{ entries, events, generations: [...generations.values()] },
  }
}

const keyUsed = () => new AppError('conflict', 'Another request was already made with this Idempotency-Key')

/** Adds facts about a generation: the first start and the first end win. */
function learn(generations: Map<string, Generation>, generation: Generation): void {
  const known = generations.get(generation.generationId)
  if (known?.end) return
  generations.set(generation.generationId, { ...generation, at: known?.at ?? generation.at })
}

/** Refused because of a value, a constraint or a deadlock: rolled back, and possibly caused by a single act. */
const isRefusal = (error: unknown): boolean => /^(22|23|40)/.test(String((error as { code?: unknown } | null)?.code))
