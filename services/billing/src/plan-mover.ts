import { every, type Logger, type Periodic } from '@parley/kit'
import type { BillingStores } from './store/index.ts'

/** Users moved per transaction, which locks their accounts. */
const atOnce = 200
/** Transactions awaited by a call: 5,000 users. The rest is moved in the background. */
const ofCall = 25

type Moves = BillingStores['planMoves']

/** Continues a move for as long as a call may take. @returns whether it is complete */
export async function moveForCall(moves: Moves): Promise<boolean> {
  for (let step = 0; step < ofCall; step += 1) if (!(await moves.resume(atOnce, true))) return true
  return false
}

/** Completes moves left by calls or by dead processes. Replicas may check concurrently. @param everyMs between checks, each of which asks the database */
export const createPlanMover = (moves: Moves, log: Logger, everyMs = 10_000): Periodic =>
  every(
    everyMs,
    async (stopping) => {
      while (!stopping.aborted && (await moves.resume(atOnce, false)));
    },
    { name: 'move users of plans', log },
  )
