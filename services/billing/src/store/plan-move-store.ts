import type { AdminAct } from '@parley/kit'

/** What became of the wish to move all users of a plan. */
export type MoveBeginning = 'begun' | 'unknown_plan' | 'under_way'

/**
 * All users of a plan put on another one, some at a time, each as by an assignment. It outlives the process that began it: any replica goes on
 * with it. Neither plan can be deleted meanwhile. It is told by one event, written with its end.
 */
export interface PlanMoveStore {
  /** One at a time: another one that is under way has to end first. @param from another plan than `to` */
  begin(from: string, to: string, act: AdminAct): Promise<MoveBeginning>
  /**
   * Moves at most so many users, in one transaction, or ends the move when nobody is left.
   * @param waits for another replica that is at it, which is left to it otherwise
   * @returns whether to go on
   */
  resume(limit: number, waits: boolean): Promise<boolean>
}
