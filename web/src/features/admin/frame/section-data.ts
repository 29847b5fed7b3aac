import type { QueryClient } from '@tanstack/react-query'
import { auditFilterOf, auditFilters, auditQuery } from '../audit/audit-query.ts'
import { healthQuery } from '../data/health-query.ts'
import { readUrlState } from '../data/use-url-state.ts'
import { keyFilters, keysQuery } from '../keys/key-queries.ts'
import { modelsQuery } from '../models/model-queries.ts'
import { plansQuery } from '../plans/plans-query.ts'
import { settingsQuery } from '../settings/settings-query.ts'
import { userFilters, usersQuery } from '../users/user-queries.ts'

/** Starts loading what a section shows first, without filters, while its code is loaded. A failure is handled by the section, which asks again. */
export function loadSectionData(name: string, client: QueryClient): void {
  const search = new URLSearchParams()
  switch (name) {
    case 'users':
      void client.prefetchQuery(usersQuery(readUrlState(userFilters, search)))
      void client.prefetchQuery(plansQuery)
      break
    case 'models':
      void client.prefetchQuery(modelsQuery)
      break
    case 'plans':
      void client.prefetchQuery(plansQuery)
      break
    case 'keys':
      void client.prefetchQuery(keysQuery(readUrlState(keyFilters, search)))
      break
    case 'limits':
    case 'settings':
      void client.prefetchQuery(settingsQuery)
      break
    case 'health':
      void client.prefetchQuery(healthQuery)
      break
    case 'audit':
      void client.prefetchQuery(auditQuery(auditFilterOf(readUrlState(auditFilters, search))))
      break
  }
}
