import type { Plan } from '@parley/contracts'
import type { AdminAct } from '@parley/kit'

/** What an admin chooses of a plan. */
export type PlanFields = Omit<Plan, 'id' | 'default'>

/** The plans on offer; exactly one is the default of new users at any moment. Each change is told by an event, written with it. */
export interface PlanStore {
  /** Cheapest first. */
  list(): Promise<readonly Plan[]>
  create(id: string, fields: PlanFields, act: AdminAct): Promise<Plan>
  /** A changed number of credits holds from each account's next month. Undefined when there is no such plan. */
  update(id: string, fields: Partial<PlanFields>, act: AdminAct): Promise<Plan | undefined>
  /** Never removes the default plan or one that an account is on, whatever happens at the same time. */
  remove(id: string, act: AdminAct): Promise<'removed' | 'in_use' | 'unknown'>
  /** Undefined when there is no such plan. */
  makeDefault(id: string, act: AdminAct): Promise<Plan | undefined>
}
