import { authRoutes } from './auth.ts'
import { authInternalRoutes } from './auth-internal.ts'
import { billingAdminRoutes, billingInternalRoutes, billingRoutes } from './billing.ts'
import { chatInternalRoutes, chatRoutes } from './chat.ts'
import { financeRoutes } from './finance.ts'
import { gatewayRoutes } from './health.ts'
import { modelAdminRoutes, modelInternalRoutes, modelRoutes } from './models.ts'
import type { Route } from './route.ts'
import { authAdminRoutes } from './user-admin.ts'

/** Every call that people and programs may make through the gateway, relative to `/api`. Adding one here covers it by the generated tests. */
export const publicRoutes: readonly Route[] = [
  authRoutes,
  authAdminRoutes,
  modelRoutes,
  modelAdminRoutes,
  billingRoutes,
  billingAdminRoutes,
  chatRoutes,
  financeRoutes,
  gatewayRoutes,
].flatMap((group) => Object.values<Route>(group))

/** Calls between services. */
export const internalRoutes: readonly Route[] = [
  authInternalRoutes,
  billingInternalRoutes,
  chatInternalRoutes,
  modelInternalRoutes,
].flatMap((group) => Object.values<Route>(group))
