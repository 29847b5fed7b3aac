import { commonConfig, kafkaConfig, postgresUrl, readConfig, serviceUrl } from '@parley/kit'
import { z } from 'zod'

/** What people who run Parley may choose of billing. */
export const billingVariables = {
  /**
   * Days that a hold is kept after it was settled or given back; the ledger keeps what it cost for ever. Longer than any event may come again,
   * which is 30 days.
   */
  HOLD_RETENTION_DAYS: z.coerce.number().int().min(35, 'must be at least 35').max(3_650).default(90),
}

const billingConfigSchema = z.object({
  ...commonConfig,
  ...kafkaConfig,
  /** Database of billing; its tables are in the schema `billing`. */
  POSTGRES_URL: postgresUrl,
  AUTH_URL: serviceUrl,
  ...billingVariables,
})
/** Billing's variables. */
export type BillingConfig = z.output<typeof billingConfigSchema>

/** Reads billing's variables. @throws ConfigError naming every faulty one */
export const readBillingConfig = (environment: NodeJS.ProcessEnv = process.env): BillingConfig =>
  readConfig(billingConfigSchema, environment)

/** Reads what a migration needs of them. @throws ConfigError naming every faulty one */
export const readBillingMigrationConfig = (environment: NodeJS.ProcessEnv = process.env) =>
  readConfig(billingConfigSchema.pick({ LOG_LEVEL: true, POSTGRES_URL: true }), environment)

const commandSchema = billingConfigSchema.pick({
  LOG_LEVEL: true,
  INTERNAL_SECRET: true,
  POSTGRES_URL: true,
  AUTH_URL: true,
})
/** Reads what commands that use the bus need of them. @throws ConfigError naming every faulty one */
export const readBillingCommandConfig = (environment: NodeJS.ProcessEnv = process.env) =>
  readConfig(commandSchema.extend(kafkaConfig), environment)
