import type { Plan } from '@parley/contracts'

/** What an admin chooses of a plan. */
export type PlanFields = Omit<Plan, 'id' | 'default'>

/** The plans on offer; exactly one is the default of new users at any moment. */
export interface PlanStore {
  /** Cheapest first. */
  list(): Promise<readonly Plan[]>
  create(id: string, fields: PlanFields, actorId: string): Promise<Plan>
  /** A changed number of credits holds from each account's next month. Undefined when there is no such plan. */
  update(id: string, fields: Partial<PlanFields>, actorId: string): Promise<Plan | undefined>
  /** Never removes the default plan or one that an account is on, whatever happens at the same time. */
  remove(id: string): Promise<'removed' | 'in_use' | 'unknown'>
  /** Undefined when there is no such plan. */
  makeDefault(id: string): Promise<Plan | undefined>
}
