import type { Signal } from '@parley/cache'
import type { PasswordHasher, ServiceClient, Tools } from '@parley/kit'
import type { AttemptMetrics } from './attempt-metrics.ts'
import type { PasswordPolicy } from './passwords/password-policy.ts'
import type { AuthKeys } from './secrets.ts'
import type { AccessTokens } from './sessions/access-tokens.ts'
import type { Cookies } from './sessions/cookies.ts'
import type { Signals } from './signals.ts'
import type { IdentityProvider } from './single-sign-on/identity-provider.ts'
import type { AuthStores } from './store/index.ts'

/** The parts shared by the use cases of one auth service. */
export interface AuthParts extends Signals, Pick<Tools, 'log' | 'now' | 'newId'> {
  readonly stores: AuthStores
  readonly signal: Signal
  /** Calls billing and llm-router. */
  readonly client: ServiceClient
  readonly keys: AuthKeys
  readonly cookies: Cookies
  readonly hasher: PasswordHasher
  readonly policy: PasswordPolicy
  readonly attemptMetrics: AttemptMetrics
  /** For single sign-on; undefined without it. */
  readonly provider: IdentityProvider | undefined
  /** @throws Error before the service has started */
  readonly tokens: () => AccessTokens
}
