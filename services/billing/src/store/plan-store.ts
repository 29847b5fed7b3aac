import type { AdminPlan } from '@parley/contracts'
import type { AdminAct, Difference, UndoingAct } from '@parley/kit'

/** What an admin chooses of a plan. */
export type PlanFields = Omit<AdminPlan, 'id' | 'default' | 'version'>

/** What became of a change: the plan after it, or, when another version was to be changed, as it stands. */
export interface PlanUpdate {
  readonly outcome: 'changed' | 'conflict'
  readonly plan: AdminPlan
}

/** The plans on offer; exactly one is the default of new users at any moment. Each change is told by an event, written with it. */
export interface PlanStore {
  /** Cheapest first. */
  list(): Promise<readonly AdminPlan[]>
  /** What these are called, of those that there are. */
  namesOf(ids: readonly string[]): Promise<Readonly<Record<string, string>>>
  /** How many accounts are on each plan, by its id; none of a plan without any. */
  countUsers(): Promise<ReadonlyMap<string, number>>
  create(id: string, fields: PlanFields, act: AdminAct): Promise<AdminPlan>
  /**
   * A changed number of credits holds from each account's next month. Undefined when there is no such plan.
   * @param version refused with the present plan when it is not its version
   */
  update(id: string, fields: Partial<PlanFields>, act: AdminAct, version?: number): Promise<PlanUpdate | undefined>
  /** Takes a change of a plan back, once. Resolves to the plan before and after. @throws AppError conflict when it is not as the change left it */
  undo(id: string, change: Difference, act: UndoingAct): Promise<{ before: AdminPlan; after: AdminPlan }>
  /** Never removes the default plan or one that an account is on, whatever happens at the same time. */
  remove(id: string, act: AdminAct): Promise<'removed' | 'in_use' | 'unknown'>
  /** Undefined when there is no such plan. */
  makeDefault(id: string, act: AdminAct): Promise<AdminPlan | undefined>
}
