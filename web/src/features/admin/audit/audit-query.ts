import { request } from '../../../shared/api/index.ts'
import { adminQuery } from '../data/admin-query.ts'
import { calls } from '../data/calls.ts'
import type { UrlState } from '../data/use-url-state.ts'

export const auditFilters = ['actor', 'action', 'target', 'from', 'to', 'page'] as const

/** Filters of the audit log; dates such as `2030-01-31`, both inclusive. */
export interface AuditFilter {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly target?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly limit?: number
  readonly cursor?: string | undefined
}

/** A page of the audit log, newest first. */
export const auditQuery = (filter: AuditFilter) =>
  adminQuery(['audit', filter], (signal) => request(calls.audit, { query: { ...filter }, signal }))

/** The server query for the URL's parameters, without the page. */
export const auditFilterOf = ({ actor, action, target, from, to }: UrlState<(typeof auditFilters)[number]>) => ({
  actor: actor || undefined,
  action: action || undefined,
  target: target || undefined,
  from: from || undefined,
  to: to || undefined,
})
