import { request } from '../../../shared/api/index.ts'
import { adminQuery } from '../data/admin-query.ts'
import { calls } from '../data/calls.ts'

/** All plans, with the number of users on each. */
export const plansQuery = adminQuery(['plans'], async (signal) => (await request(calls.plans, { signal })).plans)
