import { type AdminUser, billingInternalRoutes } from '@parley/contracts'
import { isAppError, type Listed, listed, type Page, type Place } from '@parley/kit'
import type { AuthParts } from '../parts.ts'
import { presentAdminUser } from '../present.ts'
import type { UserFilter } from '../store/administration/user-admin-store.ts'
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
  const views = await knownPlansOf(
    parts,
    rows.map(({ id }) => id),
  )
  return { ...listed(rows, page), rows: rows.map((row) => presentAdminUser(row, views.get(row.id))) }
}

type Candidate = Place & { readonly id: string }

/** Users looked at for one answer. */
const looksAtOnce = 1_000
const mostLooks = 5

/**
 * Only billing knows which plan a user is on: if few users are on a plan, they are queried by id; if many are, checking users in batches soon fills a page.
 * A page may have fewer users than it could where other filters leave few.
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
  const found: Candidate[] = []
  let after: Place | undefined = page.after
  for (let look = 0; look < mostLooks && found.length < page.limit; look += 1) {
    const candidates = await stores.userAdmin.places({ limit: looksAtOnce, after }, filter)
    const ids = candidates.map(({ id }) => id)
    const members = new Set(await membersOf(parts, plan, ids))
    found.push(...candidates.filter(({ id }) => members.has(id)))
    after = candidates.length < looksAtOnce ? undefined : candidates.at(-1)
    if (after === undefined) break
  }
  const some = found.slice(0, page.limit)
  const ids = some.map(({ id }) => id)
  const { rows } = await listUsers(parts, page, { ...filter, ids }, undefined)
  return { rows, next: found.length < page.limit ? after : some.at(-1) }
}
