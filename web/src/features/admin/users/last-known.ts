import type { AdminUser } from '@parley/contracts'
import type { Former } from '../data/admin-query.ts'

/** Marks a response without billing's data: plan and credits are null while billing is unavailable. */
export interface Without {
  /** Set if billing was unavailable. `since` is the time of the earlier values that are shown instead; undefined if there are none. */
  readonly without?: { readonly since: number | undefined }
}

type Billed = Pick<AdminUser, 'plan' | 'credits'>
type Page = { readonly users: readonly AdminUser[] }
type Detail = { readonly user: AdminUser; readonly keys: number | null; readonly usage: object | null }

const sinceOf = (former: Former<Without> | undefined): number | undefined =>
  former?.data.without ? former.data.without.since : former?.at

/** A page of users; while billing is unavailable, with the last known plans and credits. */
export function pageWithLastKnown<P extends Page>(page: P, former: Former<Page & Without> | undefined): P & Without {
  if (page.users.length === 0 || page.users.some(({ plan }) => plan !== null)) return page
  const known = new Map<string, Billed>(former?.data.users.map((user) => [user._id, user]))
  const users = page.users.map((user) => {
    const { plan, credits } = known.get(user._id) ?? user
    return { ...user, plan, credits }
  })
  return { ...page, users, without: { since: users.some(({ plan }) => plan !== null) ? sinceOf(former) : undefined } }
}

/** A user; while billing is unavailable, with the last known values. */
export function userWithLastKnown<D extends Detail>(detail: D, former: Former<D & Without> | undefined): D & Without {
  if (detail.usage !== null) return detail
  if (former === undefined || former.data.usage === null) return { ...detail, without: { since: undefined } }
  const { user, keys, usage } = former.data
  const { plan, credits } = user
  return { ...detail, user: { ...detail.user, plan, credits }, keys, usage, without: { since: sinceOf(former) } }
}
