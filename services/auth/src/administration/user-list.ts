import { type AdminUser, billingInternalRoutes } from '@parley/contracts'
import { isAppError, type Listed, listed, type Page } from '@parley/kit'
import type { AuthParts } from '../parts.ts'
import { presentAdminUser } from '../present.ts'
import type { ListedAccount, UserFilter } from '../store/user-admin-store.ts'
import { type AskingBilling, knownPlansOf, membersOf } from './billing-view.ts'

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
  return { ...listed(rows, page), rows: await shown(parts, rows) }
}

async function shown(parts: Parts, rows: readonly ListedAccount[]): Promise<AdminUser[]> {
  const views = await knownPlansOf(parts, idsOf(rows))
  return rows.map((row) => presentAdminUser(row, views.get(row.id)))
}

const idsOf = (rows: readonly ListedAccount[]): string[] => rows.map(({ id }) => id)

/** Users looked at for one answer. */
const looksAtOnce = 1_000
const mostLooks = 5

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
  const found: ListedAccount[] = []
  let after = page.after
  for (let look = 0; look < mostLooks; look += 1) {
    const rows = await stores.userAdmin.list({ limit: looksAtOnce, after }, filter)
    const members = new Set(await membersOf(parts, plan, idsOf(rows)))
    found.push(...rows.filter(({ id }) => members.has(id)))
    if (found.length >= page.limit) {
      const some = found.slice(0, page.limit)
      return { rows: await shown(parts, some), next: some.at(-1) }
    }
    if (rows.length < looksAtOnce) return { rows: await shown(parts, found), next: undefined }
    after = rows.at(-1)
  }
  return { rows: await shown(parts, found), next: after }
}
