import { commonConfig, kafkaConfig, postgresUrl, readConfig, serviceUrl } from '@parley/kit'
import { z } from 'zod'

const notifierConfigSchema = z.object({
  ...commonConfig,
  ...kafkaConfig,
  /** Database of notifier; its tables are in the schema `notifier`. */
  POSTGRES_URL: postgresUrl,
  AUTH_URL: serviceUrl,
  /** Where people reach the product: the only origin that a mail names. */
  PUBLIC_URL: serviceUrl,
  SMTP_URL: z.url({ protocol: /^smtps?$/ }),
  MAIL_FROM: z.string().min(1).default('Parley <parley@localhost>'),
})

type Variables = z.output<typeof notifierConfigSchema>

/** What the service itself uses of its variables. */
export type NotifierServiceConfig = Pick<Variables, 'PUBLIC_URL' | 'SMTP_URL' | 'MAIL_FROM'>

/** Reads notifier's variables. @throws ConfigError naming every faulty one */
export const readNotifierConfig = (environment: NodeJS.ProcessEnv = process.env): Variables =>
  readConfig(notifierConfigSchema, environment)

/** Reads what a migration needs of them. @throws ConfigError naming every faulty one */
export const readNotifierMigrationConfig = (environment: NodeJS.ProcessEnv = process.env) =>
  readConfig(notifierConfigSchema.pick({ LOG_LEVEL: true, POSTGRES_URL: true }), environment)

const commandSchema = notifierConfigSchema.pick({
  LOG_LEVEL: true,
  INTERNAL_SECRET: true,
  POSTGRES_URL: true,
  AUTH_URL: true,
})
/** Reads what commands that use the bus need of them. @throws ConfigError naming every faulty one */
export const readNotifierCommandConfig = (environment: NodeJS.ProcessEnv = process.env) =>
  readConfig(commandSchema.extend(kafkaConfig), environment)
