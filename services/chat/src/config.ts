import { commonConfig, type Locate, readConfig } from '@parley/kit'
import { z } from 'zod'

const httpUrl = z.url({ protocol: /^https?$/ })
const chatConfigSchema = z.object({
  ...commonConfig,
  /** Database of chat; its tables are in the schema `chat`. */
  POSTGRES_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  AUTH_URL: httpUrl,
  LLM_ROUTER_URL: httpUrl,
  BILLING_URL: httpUrl,
})
type Variables = z.output<typeof chatConfigSchema>

/** What the service itself uses of its variables. */
export type ChatServiceConfig = Pick<Variables, 'INTERNAL_SECRET'>

/** Reads chat's variables. @throws ConfigError naming every faulty one */
export const readChatConfig = (environment: NodeJS.ProcessEnv = process.env): Variables =>
  readConfig(chatConfigSchema, environment)

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
