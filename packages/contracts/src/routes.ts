import { apiRoutes } from './api.ts'
import { auditRoutes } from './audit.ts'
import { authRoutes } from './auth.ts'
import { authInternalRoutes } from './auth-internal.ts'
import { billingAdminRoutes, billingInternalRoutes, billingRoutes } from './billing.ts'
import { chatRoutes } from './chat.ts'
import { chatInternalRoutes } from './chat-internal.ts'
import { modelInternalRoutes } from './completions.ts'
import { embeddingInternalRoutes } from './embeddings.ts'
import { financeRoutes } from './finance.ts'
import { certificateRouteOf, deadLetterRoutesOf, gatewayRoutes } from './health.ts'
import { keyAdminRoutes, keyInternalRoutes, keyRoutes } from './keys.ts'
import { memoryInternalRoutes, memoryRoutes } from './memory.ts'
import { modelAdminRoutes, modelRoutes } from './models.ts'
import { moneyAdminRoutes, moneyInternalRoutes } from './money.ts'
import { type Route, serviceNames } from './route.ts'
import { chatShareRoutes, shareInternalRoutes, shareRoutes } from './share.ts'
import { groupsOf } from './subscriptions.ts'
import { usageAdminRoutes, usageRoutes } from './usage.ts'
import { authAdminRoutes } from './user-admin.ts'

/** All routes through the gateway, relative to `/api`. The generated tests cover every route in this list. */
export const publicRoutes: readonly Route[] = [
  authRoutes,
  authAdminRoutes,
  auditRoutes,
  modelRoutes,
  modelAdminRoutes,
  billingRoutes,
  billingAdminRoutes,
  keyRoutes,
  keyAdminRoutes,
  usageRoutes,
  usageAdminRoutes,
  moneyAdminRoutes,
  chatRoutes,
  financeRoutes,
  memoryRoutes,
  shareRoutes,
  apiRoutes,
  gatewayRoutes,
].flatMap((group) => Object.values<Route>(group))

/** Routes between services. */
export const internalRoutes: readonly Route[] = [
  authInternalRoutes,
  billingInternalRoutes,
  keyInternalRoutes,
  moneyInternalRoutes,
  chatInternalRoutes,
  memoryInternalRoutes,
  modelInternalRoutes,
  embeddingInternalRoutes,
  chatShareRoutes,
  shareInternalRoutes,
  ...serviceNames.filter((name) => groupsOf(name).length > 0).map(deadLetterRoutesOf),
  ...serviceNames.filter((name) => name !== 'gateway').map((name) => ({ certificates: certificateRouteOf(name) })),
].flatMap((group) => Object.values<Route>(group))
