import { auditRoutes } from './auth/audit.ts'
import { authRoutes } from './auth/auth.ts'
import { authInternalRoutes } from './auth/auth-internal.ts'
import { authAdminRoutes } from './auth/user-admin.ts'
import { billingAdminRoutes, billingInternalRoutes, billingRoutes } from './billing/billing.ts'
import { keyAdminRoutes, keyInternalRoutes, keyRoutes } from './billing/keys.ts'
import { moneyAdminRoutes, moneyInternalRoutes } from './billing/money.ts'
import { usageAdminRoutes, usageRoutes } from './billing/usage.ts'
import { chatRoutes } from './chat/chat.ts'
import { chatInternalRoutes } from './chat/chat-internal.ts'
import { financeRoutes } from './chat/finance.ts'
import { certificateRouteOf, deadLetterRoutesOf, gatewayRoutes } from './health.ts'
import { apiRoutes } from './llm-router/api.ts'
import { modelInternalRoutes } from './llm-router/completions.ts'
import { embeddingInternalRoutes } from './llm-router/embeddings.ts'
import { modelAdminRoutes, modelRoutes } from './llm-router/models.ts'
import { memoryInternalRoutes, memoryRoutes } from './memory.ts'
import { type Route, serviceNames } from './route.ts'
import { chatShareRoutes, shareInternalRoutes, shareRoutes } from './share.ts'
import { groupsOf } from './subscriptions.ts'

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
