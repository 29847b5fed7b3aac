import { accountLimits } from '@parley/contracts/constants'
import { commonConfig, kafkaConfig, postgresUrl, readConfig, redisConfig, serviceUrl } from '@parley/kit'
import { z } from 'zod'
import { completeSingleSignOn, type SingleSignOnVariables, singleSignOnVariables } from './single-sign-on-config.ts'

export { completeSingleSignOn, type SingleSignOnVariables, singleSignOnVariables } from './single-sign-on-config.ts'

const authConfigSchema = z.object({
  ...commonConfig,
  ...kafkaConfig,
  ...redisConfig,
  /** Database of auth; its tables are in the schema `auth`. */
  POSTGRES_URL: postgresUrl,
  /** Where people reach the product; https makes the cookies `Secure`. */
  PUBLIC_URL: serviceUrl,
  BILLING_URL: serviceUrl,
  ADMIN_USERNAME: z.string().min(1).default('admin'),
  ADMIN_EMAIL: z.string().min(1).default('admin@localhost'),
  /** Of the first admin; generated when it is not given. */
  ADMIN_PASSWORD: z
    .string()
    .min(accountLimits.passwordMin, `must have at least ${accountLimits.passwordMin} characters`)
    .max(accountLimits.passwordMax)
    .optional(),
  ...singleSignOnVariables,
})

type Variables = z.output<typeof authConfigSchema>

/** What the service itself uses of its variables. */
export type AuthServiceConfig = Pick<
  Variables,
  'INTERNAL_SECRET' | 'PUBLIC_URL' | 'ADMIN_USERNAME' | 'ADMIN_EMAIL' | 'ADMIN_PASSWORD'
> &
  SingleSignOnVariables

/** Reads auth's variables. @throws ConfigError naming every faulty one */
export const readAuthConfig = (environment: NodeJS.ProcessEnv = process.env): Variables =>
  readConfig(authConfigSchema.check(completeSingleSignOn), environment)

/** Reads what a migration needs of them. @throws ConfigError naming every faulty one */
export const readAuthMigrationConfig = (environment: NodeJS.ProcessEnv = process.env) =>
  readConfig(authConfigSchema.pick({ LOG_LEVEL: true, POSTGRES_URL: true }), environment)

/** Reads what the command that rotates signing keys needs of them. @throws ConfigError naming every faulty one */
export const readKeyCommandConfig = (environment: NodeJS.ProcessEnv = process.env) =>
  readConfig(authConfigSchema.pick({ LOG_LEVEL: true, POSTGRES_URL: true, INTERNAL_SECRET: true }), environment)

const commandSchema = z.object({ LOG_LEVEL: commonConfig.LOG_LEVEL, POSTGRES_URL: postgresUrl, ...kafkaConfig })
/** Reads what commands that use the bus need of them. @throws ConfigError naming every faulty one */
export const readAuthCommandConfig = (environment: NodeJS.ProcessEnv = process.env) =>
  readConfig(commandSchema, environment)
