import { commonConfig, kafkaConfig, type Locate, mongoUrl, readConfig, redisConfig, serviceUrl } from '@parley/kit'
import { z } from 'zod'

const chatConfigSchema = z.object({
  ...commonConfig,
  ...kafkaConfig,
  ...redisConfig,
  /** Database of chat. */
  MONGO_URL: mongoUrl,
  AUTH_URL: serviceUrl,
  LLM_ROUTER_URL: serviceUrl,
  BILLING_URL: serviceUrl,
})
type Variables = z.output<typeof chatConfigSchema>

/** What the service itself uses of its variables. */
export type ChatServiceConfig = Pick<Variables, 'INTERNAL_SECRET'>

/** Reads chat's variables. @throws ConfigError naming every faulty one */
export const readChatConfig = (environment: NodeJS.ProcessEnv = process.env): Variables =>
  readConfig(chatConfigSchema, environment)

/** Reads what a migration needs of them. @throws ConfigError naming every faulty one */
export const readChatMigrationConfig = (environment: NodeJS.ProcessEnv = process.env) =>
  readConfig(chatConfigSchema.pick({ LOG_LEVEL: true, MONGO_URL: true }), environment)

const commandSchema = z.object({
  ...{ LOG_LEVEL: commonConfig.LOG_LEVEL, MONGO_URL: mongoUrl },
  ...kafkaConfig,
  ...redisConfig,
})
/** Reads what commands that use the bus need of them. @throws ConfigError naming every faulty one */
export const readChatCommandConfig = (environment: NodeJS.ProcessEnv = process.env) =>
  readConfig(commandSchema, environment)

/** Where the services are that chat calls. */
export const locator =
  ({ AUTH_URL, LLM_ROUTER_URL, BILLING_URL }: Pick<Variables, 'AUTH_URL' | 'LLM_ROUTER_URL' | 'BILLING_URL'>): Locate =>
  (service) => {
    const urls: Partial<Record<typeof service, string>> = {
      auth: AUTH_URL,
      'llm-router': LLM_ROUTER_URL,
      billing: BILLING_URL,
    }
    return urls[service] ?? ''
  }
