import { type AdminUser, billingInternalRoutes } from '@parley/contracts'
import { isAppError, type Listed, listed, type Page } from '@parley/kit'
import type { AuthParts } from '../parts.ts'
import { presentAdminUser } from '../present.ts'
import type { ListedAccount, UserFilter } from '../store/user-admin-store.ts'
import { type AskingBilling, knownPlansOf, plansOf } from './billing-view.ts'

type Parts = Pick<AuthParts, 'stores'> & AskingBilling

/** A page of users as admins see them. @param plan none but those who are on it; billing must be there to tell */
export async function listUsers(
  parts: Parts,
  page: Page,
  filter: UserFilter,
  plan: string | undefined,
): Promise<Listed<AdminUser>> {
  const { userAdmin } = parts.stores
  if (plan !== undefined) return await listUsersOn(parts, page, filter, plan)
  const rows = await userAdmin.list(page, filter)
  const views = await knownPlansOf(parts, idsOf(rows))
  return { ...listed(rows, page), rows: rows.map((row) => presentAdminUser(row, views.get(row.id))) }
}

const idsOf = (rows: readonly ListedAccount[]): string[] => rows.map(({ id }) => id)

/** Users looked at for one answer. */
const looksAtOnce = 200
const mostLooks = 25

/**
 * Which plan a user is on, billing knows: few users of a plan are asked for by id; a plan of many is found among the users soon. A page may have
 * fewer users than it could where other filters leave few.
 */
async function listUsersOn(parts: Parts, page: Page, filter: UserFilter, plan: string): Promise<Listed<AdminUser>> {
  const { client, requestId, stores } = parts
  const { userIds } = await client
    .call(billingInternalRoutes.planUsers, { params: { id: plan }, requestId })
    .catch((error: unknown) => {
      if (isAppError(error, 'not_found')) return { userIds: [] }
      throw error
    })
  if (userIds !== null) return await listUsers(parts, page, { ...filter, ids: userIds }, undefined)
  const found: AdminUser[] = []
  let after = page.after
  for (let look = 0; look < mostLooks; look += 1) {
    const rows = await stores.userAdmin.list({ limit: looksAtOnce, after }, filter)
    const views = await plansOf(parts, idsOf(rows))
    for (const row of rows) {
      after = row
      const view = views.get(row.id)
      if (view?.plan?.id !== plan) continue
      found.push(presentAdminUser(row, view))
      if (found.length === page.limit) return { rows: found, next: row }
    }
    if (rows.length < looksAtOnce) return { rows: found, next: undefined }
  }
  return { rows: found, next: after }
}
