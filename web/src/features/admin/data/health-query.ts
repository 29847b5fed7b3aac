import { request } from '../../../shared/api/index.ts'
import { adminQuery } from './admin-query.ts'
import { calls } from './calls.ts'

/** The health of all services. */
export const healthQuery = adminQuery(['health'], (signal) => request(calls.health, { signal }))
