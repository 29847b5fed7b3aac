import { billingInternalRoutes } from '@parley/contracts'
import type { Logger, ServiceClient } from '@parley/kit'
import type { BillingView } from './present.ts'

const timeoutMs = 2_000

/** Plans and credits of users, by id. Empty while billing cannot be asked: the list of users must not fail with it. */
export async function askBilling(
  { client, log }: { readonly client: ServiceClient; readonly log: Logger },
  userIds: string[],
  requestId: string,
): Promise<ReadonlyMap<string, BillingView>> {
  if (userIds.length === 0) return new Map()
  try {
    const { accounts } = await client.call(billingInternalRoutes.accounts, { body: { userIds }, timeoutMs, requestId })
    return new Map(accounts.map(({ userId, plan, credits }) => [userId, { plan, credits }]))
  } catch (error) {
    log.warn({ err: error, requestId }, 'users are listed without plan and credits')
    return new Map()
  }
}
