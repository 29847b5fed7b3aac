import { createBusEndpoint, type EventBus } from '@parley/bus'
import type { Signal } from '@parley/cache'
import {
  createHttpApp,
  createPasswordHasher,
  every,
  type PasswordCost,
  type Service,
  type ServiceClient,
  type Tools,
} from '@parley/kit'
import { reconcileExports } from './account-data/data-export.ts'
import { reconcileErasures, reconcileErasuresMs } from './account-data/reconcile-erasures.ts'
import { ensureFirstAdmin, type FirstAdmin } from './administration/first-admin.ts'
import { createAttemptMetrics } from './attempt-metrics.ts'
import type { AuthServiceConfig } from './config.ts'
import { authSubscriptions } from './consumers.ts'
import type { AuthParts } from './parts.ts'
import { signallingPasswords } from './passwords/password-change.ts'
import { createPasswordPolicy } from './passwords/password-policy.ts'
import { addAdminAuditRoutes } from './routes/admin-audit.ts'
import { addAdminSettingsRoutes } from './routes/admin-settings.ts'
import { addAdminUserRoutes } from './routes/admin-users.ts'
import { addDataExportRoutes } from './routes/data-export.ts'
import { addErasureRoutes } from './routes/erasure.ts'
import { addInternalRoutes } from './routes/internal.ts'
import { addPublicRoutes } from './routes/public.ts'
import { addRecoveryRoutes } from './routes/recovery.ts'
import { addSignInRoutes } from './routes/sign-in.ts'
import { addSingleSignOnRoutes } from './routes/single-sign-on.ts'
import { addUserRoutes } from './routes/user.ts'
import { deriveKeys } from './secrets.ts'
import { type AccessTokens, openAccessTokens, resealSigningKeys } from './sessions/access-tokens.ts'
import { createCookies } from './sessions/cookies.ts'
import { createSignals } from './signals.ts'
import { createIdentityProvider } from './single-sign-on/identity-provider.ts'
import { singleSignOnOf } from './single-sign-on/single-sign-on-config.ts'
import type { AuthStores } from './store/index.ts'

const sweepEveryMs = 3_600_000
/** Between two checks for exports whose contributions have to be requested again. */
const reconcileExportsMs = 60_000

/** All that auth uses; the caller opens and closes it. */
export interface AuthServiceDeps extends Tools {
  readonly config: AuthServiceConfig
  readonly stores: AuthStores
  readonly bus: EventBus
  readonly signal: Signal
  /** Clients of billing and llm-router. */
  readonly client: ServiceClient
  /** Milliseconds between two checks of erasures; 5,000 by default. */
  readonly reconcileErasuresMs?: number
  /** Cost of hashing a password; OWASP's minimum by default. */
  readonly passwordCost?: PasswordCost
}

/** The service, and what its start found out. */
export interface AuthService extends Service {
  /** The super admin that this start made; undefined when there was one, or before the start. */
  firstAdmin(): FirstAdmin | undefined
}

/** Users, credentials, sessions, verification, settings and the audit log. */
export function createAuthService(deps: AuthServiceDeps): AuthService {
  const { config, stores, bus, log } = deps
  let tokens: AccessTokens | undefined
  const parts = createParts(deps, () => {
    if (tokens === undefined) throw new Error('auth has not started')
    return tokens
  })
  const erasuresMs = deps.reconcileErasuresMs ?? reconcileErasuresMs
  const periodicTasks = [
    every(sweepEveryMs, () => stores.sweeps.sweep(), { name: 'sweep', log }),
    every(erasuresMs, () => reconcileErasures(parts, bus), { name: 'erasures', log }),
    every(reconcileExportsMs, () => reconcileExports(parts), { name: 'exports', log }),
  ]
  let draining = false
  let firstAdmin: FirstAdmin | undefined
  const checks = { postgres: () => stores.ping() }
  // Events wait in the outbox while the bus is unavailable.
  const endpoint = createBusEndpoint({ ...deps, outbox: stores.outbox, publisher: signallingPasswords(bus, parts) })
  const optional = { bus: endpoint.health }
  const handler = createHttpApp(
    { ...deps, checks, optional, outbox: stores.outbox, draining: () => draining },
    (router) => {
      addPublicRoutes(router, parts)
      addSignInRoutes(router, parts)
      addSingleSignOnRoutes(router, parts)
      addUserRoutes(router, parts)
      addRecoveryRoutes(router, parts)
      addErasureRoutes(router, parts)
      addAdminUserRoutes(router, parts)
      addAdminSettingsRoutes(router, parts)
      addAdminAuditRoutes(router, parts)
      addDataExportRoutes(router, parts)
      addInternalRoutes(router, parts)
    },
  )
  return {
    name: 'auth',
    handler,
    firstAdmin: () => firstAdmin,
    announcement() {
      if (firstAdmin?.password === undefined) return undefined
      return `First admin: ${firstAdmin.username} with password ${firstAdmin.password} (shown this once)`
    },
    async start() {
      await stores.migrate()
      await resealSigningKeys(stores.signingKeys, parts.keys.sealing)
      tokens = await openAccessTokens({ ...parts, keys: stores.signingKeys, sealing: parts.keys.sealing })
      // A start that fails later comes again, and must not forget the password that it made.
      firstAdmin ??= await ensureFirstAdmin(parts, config)
      await endpoint.start(authSubscriptions(stores, parts))
      for (const task of periodicTasks) task.start()
    },
    drain() {
      draining = true
    },
    async stop() {
      draining = true
      await Promise.all([endpoint.stop(), ...periodicTasks.map((task) => task.stop())])
    },
  }
}

function createParts(
  { config, stores, signal, client, metrics, log, now, newId, passwordCost }: AuthServiceDeps,
  tokens: AuthParts['tokens'],
): AuthParts {
  const signOn = singleSignOnOf(config)
  const redirectUri = new URL('/auth/callback', config.PUBLIC_URL).href
  return {
    ...{ stores, signal, client, tokens, log, now, newId },
    ...createSignals(signal, log),
    keys: deriveKeys(config.AUTH_SECRETS),
    cookies: createCookies(config.PUBLIC_URL),
    hasher: createPasswordHasher(passwordCost),
    policy: createPasswordPolicy(),
    attemptMetrics: createAttemptMetrics(metrics, log),
    provider: signOn && createIdentityProvider(signOn, { redirectUri, log, now }),
  }
}
