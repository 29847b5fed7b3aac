import type { ServiceName } from '@parley/contracts'
import { createIdentityCodec, type IdentityCodec } from '../identity/identity.ts'
import type { IdentityKeys } from '../identity/identity-keys.ts'
import { type Clock, type NewId, newId, systemClock } from '../ids.ts'
import { createLogger, type Logger } from '../observability/log.ts'
import { createMetrics, type Registry } from '../observability/metrics.ts'

/** What a service gets besides its engines. */
export interface Tools {
  readonly log: Logger
  readonly identity: IdentityCodec
  readonly metrics: Registry
  readonly now: Clock
  readonly newId: NewId
}

/** The tools of a service that has a process of its own, whose figures it reports too. @throws ConfigError when the key is another's */
export const createTools = (service: ServiceName, config: IdentityKeys & { readonly LOG_LEVEL: string }): Tools => ({
  log: createLogger(service, config.LOG_LEVEL),
  identity: createIdentityCodec(service, config),
  metrics: createMetrics(service, true),
  now: systemClock,
  newId,
})
