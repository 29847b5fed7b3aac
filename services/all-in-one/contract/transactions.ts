import { newId } from '@parley/kit'
import type { ApiAnswer, ApiCaller } from '@parley/testing'

/** A transaction of each service with a connection pool, and the table that it changes. */
export const transactions: Readonly<
  Record<string, { readonly table: string; send(api: ApiCaller): Promise<ApiAnswer> }>
> = {
  auth: {
    table: 'auth.settings',
    send: (api) => api.patch('/api/admin/settings', { guest: { enabled: true } }),
  },
  billing: {
    table: 'billing.plans',
    send: (api) => api.post('/api/admin/plans', { name: `plan ${newId()}`, monthlyCredits: 1 }),
  },
  'llm-router': { table: 'llm_router.models', send: (api) => api.patch('/api/admin/models', { enabled: true }) },
}
