import type { AdminAct } from '@parley/kit'

/** The result of starting a move. */
export type MoveBeginning = 'begun' | 'unknown_plan' | 'under_way'

/**
 * Moves of all users of a plan to another one, in batches, each user as by an assignment. A move survives the process that started it: any
 * replica continues it. Neither plan can be deleted meanwhile. One event is written with the end of the move.
 */
export interface PlanMoveStore {
  /** Starts a move, unless another one is in progress. @param from must differ from `to` */
  begin(from: string, to: string, act: AdminAct): Promise<MoveBeginning>
  /**
   * Moves at most `limit` users in one transaction, or ends the move when none are left.
   * @param waits for another replica's batch; otherwise leaves the move to that replica
   * @returns whether to continue
   */
  resume(limit: number, waits: boolean): Promise<boolean>
}
