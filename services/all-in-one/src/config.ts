import { join } from 'node:path'
import { type ProviderId, providerIds } from '@parley/contracts'
import { readConfig } from '@parley/kit'
import { providerVariables } from '@parley/llm-router/config'
import { z } from 'zod'

const port = z.coerce.number().int().min(0).max(65535)
const schema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(8080),
  DATA_DIR: z.string().default('.data'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  TRUSTED_PROXIES: z.string().default(''),
  ADMIN_USERNAME: z.string().default('admin'),
  ADMIN_EMAIL: z.string().default('admin@localhost'),
  ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').max(128).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().default('Parley <parley@localhost>'),
  INBOX_PORT: port.default(8025),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
  /** Folder of the built SPA. */
  WEB_DIR: z.string().default(join(import.meta.dirname, '../../../web/dist')),
  ...providerVariables,
})

/** The variables of `npm start`. `configured` are the providers that have a key or an address of their own. */
export type AllInOneConfig = z.output<typeof schema> & { readonly configured: ReadonlySet<ProviderId> }

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the variables of `npm start`. @throws ConfigError naming every faulty one */
export function readAllInOneConfig(environment: Environment = process.env): AllInOneConfig {
  const config = readConfig(schema, { ALLOWED_PRIVATE_HOSTS: '127.0.0.1,localhost', ...environment })
  return { ...config, configured: new Set(providerIds.filter((id) => isConfigured(id, environment))) }
}

/** A local inference server has an address and often no key. */
const isConfigured = (id: ProviderId, environment: Environment): boolean =>
  ['API_KEY', 'API_KEY_FILE', 'BASE_URL'].some((part) => Boolean(environment[`${id.toUpperCase()}_${part}`]))
