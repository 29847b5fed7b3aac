import { every, type Logger, type Periodic } from '@parley/kit'
import type { PlanMoveStore } from './store/plan-move-store.ts'

/** Users of one transaction, whose accounts are locked meanwhile. */
const atOnce = 200
/** Transactions that a call waits for: 5,000 users. What is left goes on by itself. */
const ofCall = 25

/** What moving uses. */
export interface PlanMoverDeps {
  readonly moves: Pick<PlanMoveStore, 'resume'>
  readonly log: Logger
  /** Milliseconds between two looks for a move that was left; a second unless told. */
  readonly everyMs?: number | undefined
}

/** Goes on with a move that a call has begun, as far as a call may last. @returns whether it is done */
export async function moveForCall(moves: PlanMoverDeps['moves']): Promise<boolean> {
  for (let step = 0; step < ofCall; step += 1) if (!(await moves.resume(atOnce, true))) return true
  return false
}

/** Goes on with what calls have left to be moved, and what processes that died have. Several replicas may look at once. */
export const createPlanMover = ({ moves, log, everyMs = 1_000 }: PlanMoverDeps): Periodic =>
  every(
    everyMs,
    async (stopping) => {
      while (!stopping.aborted && (await moves.resume(atOnce, false)));
    },
    { name: 'move users of plans', log },
  )
