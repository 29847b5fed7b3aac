import type { SingleSignOnVariables } from '@parley/auth/config'
import type { ToolVariables } from '@parley/chat/config'
import type { Logger } from '@parley/kit'
import type { LlmRouterConfig } from '@parley/llm-router/config'
import type { AllInOneConfig } from './config.ts'
import type { Engines } from './house.ts'

/** What a whole system is made of. */
export interface ComposeOptions {
  readonly config: Pick<
    AllInOneConfig,
    | 'HOST'
    | 'PORT'
    | 'EXTRA_ORIGINS'
    | 'TRUSTED_PROXIES'
    | 'HOLD_RETENTION_DAYS'
    | 'ADMIN_USERNAME'
    | 'ADMIN_EMAIL'
    | 'ADMIN_PASSWORD'
    | 'MAIL_FROM'
    | 'WEB_DIR'
  > &
    SingleSignOnVariables &
    ToolVariables
  readonly engines: Engines
  readonly internalSecret: string
  readonly publicUrl: string
  readonly smtpUrl: string
  readonly models: LlmRouterConfig
  /** Nothing else is composed over the same engines, so that what a dead process was making is ended at the start. */
  readonly isOnlyReplica?: boolean
  readonly log: Logger
}
