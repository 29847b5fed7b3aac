import { type AccountTotals, billingInternalRoutes } from '@parley/contracts'
import type { AuthParts } from '../parts.ts'
import type { BillingView } from '../present.ts'

const timeoutMs = 2_000

/** The admin and the request on whose behalf billing is asked. */
export interface AskingBilling extends Pick<AuthParts, 'client' | 'log'> {
  readonly requestId: string
}

/** Plans and credits of users, by id. @throws AppError unavailable */
async function plansOf(
  { client, requestId }: AskingBilling,
  userIds: string[],
): Promise<ReadonlyMap<string, NonNullable<BillingView>>> {
  if (userIds.length === 0) return new Map()
  const { accounts } = await client.call(billingInternalRoutes.accounts, { body: { userIds }, timeoutMs, requestId })
  return new Map(accounts.map(({ userId, plan, credits }) => [userId, { plan, credits }]))
}

/** The users among these who are on a plan. @throws AppError unavailable */
export async function membersOf(
  { client, requestId }: AskingBilling,
  plan: string,
  userIds: string[],
): Promise<string[]> {
  if (userIds.length === 0) return []
  const call = { params: { id: plan }, body: { userIds }, timeoutMs, requestId }
  return (await client.call(billingInternalRoutes.planMembers, call)).userIds
}

/** Plans and credits, empty while billing is unavailable: the list of users must not fail with it. */
export const knownPlansOf = (asking: AskingBilling, userIds: string[]): ReturnType<typeof plansOf> =>
  orWithout(asking, plansOf(asking, userIds), new Map())

/** A user's credits and total usage; null while billing is unavailable. */
export const totalsOf = (asking: AskingBilling, id: string): Promise<AccountTotals | null> => {
  const { client, requestId } = asking
  return orWithout(
    asking,
    client.call(billingInternalRoutes.accountTotals, { params: { id }, timeoutMs, requestId }),
    null,
  )
}

/** What was asked of billing, or something else while it is unavailable. */
export async function orWithout<T>({ log, requestId }: AskingBilling, asked: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await asked
  } catch (error) {
    log.warn({ err: error, requestId }, 'users or acts are shown without what billing knows of them')
    return otherwise
  }
}
