import { request } from '../../../shared/api/index.ts'
import { adminQuery } from './admin-query.ts'
import { calls } from './calls.ts'

export const healthQuery = adminQuery(['health'], (signal) => request(calls.health, { signal }))
