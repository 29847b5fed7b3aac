import { join } from 'node:path'
import { completeSingleSignOn, singleSignOnVariables } from '@parley/auth/config'
import { billingVariables } from '@parley/billing/config'
import { toolVariables } from '@parley/chat/config'
import { accountLimits, type ProviderId, providerIds } from '@parley/contracts'
import { trustedProxies } from '@parley/gateway/config'
import { commonConfig, extraOrigins, readConfig } from '@parley/kit'
import { providerVariables } from '@parley/llm-router/config'
import { z } from 'zod'

const { HOST, PORT, LOG_LEVEL } = commonConfig
const { passwordMin, passwordMax } = accountLimits
const schema = z.object({
  HOST,
  PORT: PORT.default(8080),
  DATA_DIR: z.string().default('.data'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  EXTRA_ORIGINS: extraOrigins,
  TRUSTED_PROXIES: trustedProxies,
  ADMIN_USERNAME: z.string().default('admin'),
  ADMIN_EMAIL: z.string().default('admin@localhost'),
  ADMIN_PASSWORD: z
    .string()
    .min(passwordMin, `must have at least ${passwordMin} characters`)
    .max(passwordMax)
    .optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().default('Parley <parley@localhost>'),
  INBOX_PORT: PORT.default(8025),
  LOG_LEVEL: LOG_LEVEL.default('warn'),
  /** Folder of the built SPA. */
  WEB_DIR: z.string().default(join(import.meta.dirname, '../../../web/dist')),
  ...singleSignOnVariables,
  ...billingVariables,
  ...toolVariables,
  ...providerVariables,
  ALLOWED_PRIVATE_HOSTS: providerVariables.ALLOWED_PRIVATE_HOSTS.default(['127.0.0.1', 'localhost']),
})

/** The variables of `npm start`. `configured` are the providers that have a key or an address of their own. */
export type AllInOneConfig = z.output<typeof schema> & { readonly configured: ReadonlySet<ProviderId> }

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the variables of `npm start`. @throws ConfigError naming every faulty one */
export function readAllInOneConfig(environment: Environment = process.env): AllInOneConfig {
  const config = readConfig(schema.check(completeSingleSignOn), environment)
  return { ...config, configured: new Set(providerIds.filter((id) => isConfigured(id, environment))) }
}

/** A local inference server has an address and often no key. */
const isConfigured = (id: ProviderId, environment: Environment): boolean =>
  ['API_KEY', 'API_KEY_FILE', 'BASE_URL', 'BASE_URL_FILE'].some((part) => environment[`${id.toUpperCase()}_${part}`])
