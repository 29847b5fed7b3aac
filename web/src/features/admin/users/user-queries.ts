import { request } from '../../../shared/api/index.ts'
import { adminQuery } from '../data/admin-query.ts'
import { calls } from '../data/calls.ts'
import type { UrlState } from '../data/use-url-state.ts'
import { pageWithLastKnown, userWithLastKnown, type Without } from './last-known.ts'

export const userFilters = ['query', 'state', 'type', 'plan', 'sort', 'order', 'page'] as const
export type UserFilters = UrlState<(typeof userFilters)[number]>

const flags = { banned: { banned: 'true' }, active: { banned: 'false' }, admin: { admin: 'true' } } as const
const orders = ['createdAt', 'username', 'lastLoginAt'] as const
const oneOf = <Value extends string>(values: readonly Value[], value: string): Value | undefined =>
  values.find((one) => one === value)

/** The server query for the URL's parameters; invalid values are omitted. */
export const userListQuery = ({ query, state, type, plan, sort, order }: UserFilters) => ({
  query: query === '' ? undefined : query,
  type: oneOf(['local', 'oauth'], type),
  plan: plan === '' ? undefined : plan,
  sort: oneOf(orders, sort),
  order: oneOf(['asc', 'desc'], order),
  ...(state in flags ? flags[state as keyof typeof flags] : {}),
})

const loadUsers = (query: RequestQuery, signal: AbortSignal) => request(calls.users, { query, signal })
type RequestQuery = ReturnType<typeof userListQuery> & { readonly cursor: string | undefined }
type UserPage = Awaited<ReturnType<typeof loadUsers>> & Without

export const usersQuery = (filters: UserFilters) => {
  const query = { ...userListQuery(filters), cursor: filters.page === '' ? undefined : filters.page }
  return adminQuery<UserPage>(['users', query], async (signal, former) =>
    pageWithLastKnown(await loadUsers(query, signal), former()),
  )
}

const loadUser = (id: string, signal: AbortSignal) => request(calls.user, { params: { id }, signal })
export type UserDetail = Awaited<ReturnType<typeof loadUser>> & Without

/** A user with plan, credits, keys and usage. */
export const userQuery = (id: string) =>
  adminQuery<UserDetail>(['user', id], async (signal, former) =>
    userWithLastKnown(await loadUser(id, signal), former()),
  )
