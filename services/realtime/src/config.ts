import type { ServiceName } from '@parley/contracts'
import { commonConfig, extraOrigins, kafkaConfig, type Locate, readConfig, redisConfig, serviceUrl } from '@parley/kit'
import { z } from 'zod'

const realtimeConfigSchema = z.object({
  ...commonConfig,
  ...redisConfig,
  ...kafkaConfig,
  AUTH_URL: serviceUrl,
  CHAT_URL: serviceUrl,
  BILLING_URL: serviceUrl,
  /** Origin under which people reach Parley: pages of others may not connect. */
  PUBLIC_URL: serviceUrl,
  /** Further ones, with commas between. */
  EXTRA_ORIGINS: extraOrigins,
})
type Variables = z.output<typeof realtimeConfigSchema>

/** Reads realtime's variables. @throws ConfigError naming every faulty one */
export const readRealtimeConfig = (environment: NodeJS.ProcessEnv = process.env): Variables =>
  readConfig(realtimeConfigSchema, environment)

/** Reads what commands that use the bus need of them. @throws ConfigError naming every faulty one */
export const readRealtimeCommandConfig = (environment: NodeJS.ProcessEnv = process.env) =>
  readConfig(realtimeConfigSchema.pick({ LOG_LEVEL: true }).extend(kafkaConfig), environment)

/** Where the services are that realtime asks. */
export function locator(config: Pick<Variables, 'AUTH_URL' | 'CHAT_URL' | 'BILLING_URL'>): Locate {
  const urls: Partial<Record<ServiceName, string>> = {
    auth: config.AUTH_URL,
    chat: config.CHAT_URL,
    billing: config.BILLING_URL,
  }
  return (service) => urls[service] ?? ''
}
