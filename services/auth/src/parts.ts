import type { Clock, Logger, NewId } from '@parley/kit'
import type { AccessTokens } from './access-tokens.ts'
import type { Cookies } from './cookies.ts'
import type { IdentityProvider } from './identity-provider.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { PasswordPolicy } from './password-policy.ts'
import type { AuthKeys } from './secrets.ts'
import type { AuthStores } from './store/index.ts'
import type { TryAlarm } from './try-metrics.ts'

/** What the use cases of one auth service share. */
export interface AuthParts {
  readonly stores: AuthStores
  readonly keys: AuthKeys
  readonly cookies: Cookies
  readonly hasher: PasswordHasher
  readonly policy: PasswordPolicy
  readonly alarm: TryAlarm
  /** Of single sign-on; undefined without one. */
  readonly provider: IdentityProvider | undefined
  /** @throws Error before the service has started */
  readonly tokens: () => AccessTokens
  /** Tells every replica that rights, ban or sessions of a user changed. Never rejects: a lost message means that caches expire by themselves. */
  readonly tellPrincipalChanged: (userId: string) => Promise<void>
  readonly log: Logger
  readonly now: Clock
  readonly newId: NewId
}
