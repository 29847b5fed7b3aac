import { commonConfig, kafkaConfig, type Locate, mongoUrl, readConfig, redisConfig, serviceUrl } from '@parley/kit'
import { z } from 'zod'

/** A service of the internet that a tool uses: there once it has a key. */
const secret = z.string().max(1_000).optional()
const address = (standard: string) => z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).default(standard)

/** Keys and base URLs of what tools use: Exa for web search, Finnhub for quotes. */
export const toolVariables = {
  EXA_API_KEY: secret,
  EXA_BASE_URL: address('https://api.exa.ai'),
  QUOTES_API_KEY: secret,
  QUOTES_BASE_URL: address('https://finnhub.io/api/v1'),
}
/** The values of `toolVariables`; keys are there when they are set. */
export type ToolVariables = Partial<z.output<z.ZodObject<typeof toolVariables>>>

/** Where a service of the internet is and the key to it. */
interface ThirdParty {
  readonly apiKey: string
  readonly baseUrl: string
}

/** What the service is told when it is made. */
export interface ChatServiceConfig {
  readonly INTERNAL_SECRET: string
  /** Exa; left out, there is no web search. */
  readonly search?: ThirdParty | undefined
  /** Finnhub; left out, there are no quotes. */
  readonly quotes?: ThirdParty | undefined
}

/** The service's config out of its variables. */
export function chatServiceConfigOf(
  variables: ToolVariables & { readonly INTERNAL_SECRET: string },
): ChatServiceConfig {
  const thirdParty = (apiKey: string | undefined, baseUrl: string | undefined): ThirdParty | undefined =>
    apiKey === undefined || baseUrl === undefined ? undefined : { apiKey, baseUrl }
  return {
    INTERNAL_SECRET: variables.INTERNAL_SECRET,
    search: thirdParty(variables.EXA_API_KEY, variables.EXA_BASE_URL),
    quotes: thirdParty(variables.QUOTES_API_KEY, variables.QUOTES_BASE_URL),
  }
}

const chatConfigSchema = z.object({
  ...commonConfig,
  ...kafkaConfig,
  ...redisConfig,
  /** Database of chat. */
  MONGO_URL: mongoUrl,
  AUTH_URL: serviceUrl,
  LLM_ROUTER_URL: serviceUrl,
  BILLING_URL: serviceUrl,
  ...toolVariables,
})
type Variables = z.output<typeof chatConfigSchema>

/** Reads chat's variables. @throws ConfigError naming every faulty one */
export const readChatConfig = (environment: NodeJS.ProcessEnv = process.env): Variables =>
  readConfig(chatConfigSchema, environment)

/** Reads what a migration needs of them. @throws ConfigError naming every faulty one */
export const readChatMigrationConfig = (environment: NodeJS.ProcessEnv = process.env) =>
  readConfig(chatConfigSchema.pick({ LOG_LEVEL: true, MONGO_URL: true }), environment)

const commandSchema = z.object({
  ...{ LOG_LEVEL: commonConfig.LOG_LEVEL, INTERNAL_SECRET: commonConfig.INTERNAL_SECRET },
  ...{ MONGO_URL: mongoUrl, AUTH_URL: serviceUrl },
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
