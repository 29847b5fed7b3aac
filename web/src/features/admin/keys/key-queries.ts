import { request } from '../../../shared/api/index.ts'
import { adminQuery } from '../data/admin-query.ts'
import { calls } from '../data/calls.ts'
import type { UrlState } from '../data/use-url-state.ts'

export const keyFilters = ['query', 'tier', 'page'] as const
type KeyFilters = UrlState<(typeof keyFilters)[number]>

/** Names of tiers in the URL. */
export const tierNames = ['1', '2', '3', '4', '5'] as const

/** The server query for the URL's parameters; invalid values are omitted. */
export const keyListQuery = ({ query, tier }: KeyFilters) => ({
  query: query || undefined,
  tier: tierNames.find((name) => name === tier),
})

export const keysQuery = (filters: KeyFilters) => {
  const query = { ...keyListQuery(filters), cursor: filters.page || undefined }
  return adminQuery(['keys', query], (signal) => request(calls.keys, { query, signal }))
}
