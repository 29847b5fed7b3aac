import { request } from '../../../shared/api/index.ts'
import { adminQuery } from '../data/admin-query.ts'
import { calls } from '../data/calls.ts'

/** All settings, with their version. */
export const settingsQuery = adminQuery(['settings'], (signal) => request(calls.settings, { signal }))
