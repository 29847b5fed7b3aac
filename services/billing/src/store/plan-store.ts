import type { AdminPlan } from '@parley/contracts'
import type { AdminAct, Difference, UndoingAct } from '@parley/kit'

/** The fields of a plan that admins edit. */
export type PlanFields = Omit<AdminPlan, 'id' | 'default' | 'version'>

/** The result of an update: the updated plan or, for an outdated version, the current one. */
export interface PlanUpdate {
  readonly outcome: 'changed' | 'conflict'
  readonly plan: AdminPlan
}

/** The available plans, exactly one of which is the default for new users at any time. Each change is written together with its event. */
export interface PlanStore {
  /** Cheapest first. */
  list(): Promise<readonly AdminPlan[]>
  /** Names of these plans, by id; unknown ones are missing. */
  namesOf(ids: readonly string[]): Promise<Readonly<Record<string, string>>>
  /** Number of accounts by plan id; plans without accounts are missing. */
  countUsers(): Promise<ReadonlyMap<string, number>>
  create(id: string, fields: PlanFields, act: AdminAct): Promise<AdminPlan>
  /**
   * Changed credits apply from each account's next month. Undefined for an unknown plan.
   * @param version the expected version; otherwise the update is refused with the current plan
   */
  update(id: string, fields: Partial<PlanFields>, act: AdminAct, version?: number): Promise<PlanUpdate | undefined>
  /** Undoes a change of a plan, once. Resolves to the plan before and after. @throws AppError conflict when it has changed since */
  undo(id: string, change: Difference, act: UndoingAct): Promise<{ before: AdminPlan; after: AdminPlan }>
  /** Never removes the default plan or one in use, even during concurrent changes. */
  remove(id: string, act: AdminAct): Promise<'removed' | 'in_use' | 'unknown'>
  /** Undefined for an unknown plan. */
  makeDefault(id: string, act: AdminAct): Promise<AdminPlan | undefined>
}
