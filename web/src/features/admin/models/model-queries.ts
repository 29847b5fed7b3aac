import { request } from '../../../shared/api/index.ts'
import { adminQuery } from '../data/admin-query.ts'
import { calls } from '../data/calls.ts'

export const modelsQuery = adminQuery(['models'], async (signal) => (await request(calls.models, { signal })).models)
