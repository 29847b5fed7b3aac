import { request } from '../../../shared/api/index.ts'
import { adminQuery } from '../data/admin-query.ts'
import { calls } from '../data/calls.ts'

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
