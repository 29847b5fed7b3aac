import { outboxStatement, type PostgresDatabase, type Send } from '@parley/db'
import type { AdminAct } from '@parley/kit'
import { type Kysely, sql } from 'kysely'
import type { OnCreditsChanged } from '../credits/account.ts'
import { decideMove, movedEvent, type PlanMove } from '../credits/plan-move.ts'
import { begin, commit, loadAccounts, writeBooks } from './books.ts'
import type { BillingDatabase } from './schema.ts'

/**
 * Moves of all users of a plan to another one, in batches, each user as by an assignment. A move survives the process that started it: any
 * replica continues it. Neither plan can be deleted meanwhile. One event is written with the end of the move.
 * @param forLockedAccounts connections for waiting for accounts that are locked elsewhere
 */
export function createPlanMoveStore(
  db: Kysely<BillingDatabase>,
  forLockedAccounts: Pick<PostgresDatabase<BillingDatabase>, 'pipelined'>,
  onCreditsChanged: OnCreditsChanged,
) {
  return {
    /** Starts a move, unless another one is in progress. @param from must differ from `to` */
    begin: (from: string, to: string, act: AdminAct): Promise<'begun' | 'unknown_plan' | 'under_way'> =>
      db.transaction().execute(async (tx) => {
        // Keeps both plans from being deleted until this has ended.
        const plans = await tx.selectFrom('plans').select('id').where('id', 'in', [from, to]).forKeyShare().execute()
        if (plans.length < 2) return 'unknown_plan'
        const { rows } = await sql`
          insert into plan_move (from_plan, to_plan, actor_id, request_id, event_id, at)
          values (${from}, ${to}, ${act.actorId}, ${act.requestId}, ${act.eventId}, ${act.at})
          on conflict do nothing returning from_plan`.execute(tx)
        return rows.length > 0 ? 'begun' : 'under_way'
      }),
    /**
     * Moves at most `limit` users in one transaction, or ends the move when none are left.
     * @param waits for another replica's batch; otherwise leaves the move to that replica
     * @returns whether to continue
     */
    async resume(limit: number, waits: boolean): Promise<boolean> {
      const { moved, isOver } = await forLockedAccounts.pipelined(async (send) => {
        const [, [row]] = (await send(begin, waits ? lockMove : lockFreeMove)) as [
          unknown,
          readonly (MoveRow | undefined)[],
        ]
        if (row === undefined) {
          await send(commit)
          return { moved: [], isOver: true }
        }
        const move = toMove(row)
        const [users] = (await send({ ...readUsers, values: [move.from.id, limit] })) as [{ id: string }[]]
        if (users.length === 0) {
          await send(endMove, outboxStatement([movedEvent(move)]), commit)
          return { moved: [], isOver: true }
        }
        const moved = await moveUsers(send, move, users)
        await send({ ...noteMoved, values: [move.moved + moved.length] }, commit)
        return { moved, isOver: false }
      })
      if (moved.length > 0) onCreditsChanged(moved)
      return !isOver
    },
  }
}

/** Moves the users who are still on the plan. @returns their ids */
async function moveUsers(send: Send, move: PlanMove, users: readonly { id: string }[]): Promise<string[]> {
  const wanted = users.map(({ id }) => ({ userId: id }))
  const { accounts, erased, plans, now } = await loadAccounts(send, undefined, wanted, true)
  const books = [...accounts.values()].flatMap((account) =>
    erased.has(account.userId) ? [] : (decideMove({ account, plans, now }, move) ?? []),
  )
  const nothing = { newHolds: [], changedHolds: [], generations: [], events: [], eventIds: [] }
  const written = { accounts: books.map(({ account }) => account), entries: books.flatMap(({ entries }) => entries) }
  await send(...writeBooks({ ...written, ...nothing }))
  return books.map(({ account }) => account.userId)
}

interface MoveRow {
  readonly fromId: string
  readonly fromName: string
  readonly to: string
  readonly moved: number
  readonly actorId: string
  readonly requestId: string
  readonly eventId: string
  readonly at: Date
}

const toMove = ({ fromId, fromName, to, moved, ...act }: MoveRow): PlanMove => ({
  from: { id: fromId, name: fromName },
  to,
  moved,
  act,
})

const lock = `
    select from_plan as "fromId", name as "fromName", to_plan as "to", moved, actor_id as "actorId",
      request_id as "requestId", event_id as "eventId", at
    from plan_move join plans on id = from_plan
    for update of plan_move`
const lockMove = { name: 'lock-plan-move', text: lock }
const lockFreeMove = { name: 'lock-free-plan-move', text: `${lock} skip locked` }
/** Skips erased users, whose accounts are removed separately. */
const readUsers = {
  name: 'read-users-of-plan',
  text: `
    select user_id as id from accounts
    where plan_id = $1 and not exists (select from erased_users where id_hash = user_hash(user_id)) limit $2`,
}
const noteMoved = { name: 'note-moved-users', text: 'update plan_move set moved = $1' }
const endMove = { name: 'end-plan-move', text: 'delete from plan_move' }
