import { join } from 'node:path'
import { type ProviderId, providerIds } from '@parley/contracts'
import {
  allOrNone,
  commonConfig,
  extraOrigins,
  type KnownVariables,
  readConfig,
  serviceUrl,
  smtpUrl,
} from '@parley/kit'
import { z } from 'zod'
import { allServices } from './services.ts'

const { HOST, PORT, LOG_LEVEL, OTEL_EXPORTER_OTLP_ENDPOINT } = commonConfig
// Omitted: addresses of services, which the process knows, and secrets, which are in its data directory.
const {
  NOTIFIER_URL: _url,
  AUTH_SECRETS: _ofAuth,
  CHAT_SECRETS: _ofChat,
  ...ofServices
}: z.ZodRawShape = Object.assign({}, ...allServices.map(({ variables }) => variables))
const own = {
  HOST,
  OTEL_EXPORTER_OTLP_ENDPOINT,
  PORT: PORT.default(8080),
  DATA_DIR: z.string().default('.data'),
  /** The port for Prometheus with the metrics of all services; off by default. */
  METRICS_PORT: PORT.optional(),
  PUBLIC_URL: serviceUrl.optional(),
  EXTRA_ORIGINS: extraOrigins,
  SMTP_URL: smtpUrl.optional(),
  INBOX_PORT: PORT.default(8025),
  /** The inbox's own host: in a container HOST may be public, and anyone who can reach the inbox reads all mail. */
  INBOX_HOST: HOST,
  LOG_LEVEL: LOG_LEVEL.default('warn'),
  /** The built SPA. */
  WEB_DIR: z.string().default(join(import.meta.dirname, '../../../web/dist')),
  /** Local models are allowed by default. */
  ALLOWED_PRIVATE_HOSTS: (ofServices.ALLOWED_PRIVATE_HOSTS as z.ZodType).default(['127.0.0.1', 'localhost']),
}
const schema = z
  .object<z.ZodRawShape>({ ...ofServices, ...own })
  .check(...allServices.map(({ setTogether = [] }) => allOrNone(setTogether)))

/** The variables of `npm start`, including those of the services. `configured` are the providers with a key or address. */
export type AllInOneConfig = KnownVariables<typeof own> & { readonly configured: ReadonlySet<ProviderId> }

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the variables of `npm start`. @throws ConfigError naming every invalid one */
export function readAllInOneConfig(environment: Environment = process.env): AllInOneConfig {
  const config = readConfig(schema, environment) as KnownVariables<typeof own>
  return { ...config, configured: new Set(providerIds.filter((id) => isConfigured(id, environment))) }
}

/** An address is enough, because local inference servers often need no key. */
const isConfigured = (id: ProviderId, environment: Environment): boolean =>
  ['API_KEY', 'API_KEY_FILE', 'BASE_URL', 'BASE_URL_FILE'].some((part) => environment[`${id.toUpperCase()}_${part}`])
