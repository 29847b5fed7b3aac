import { commonConfig, readConfig } from '@parley/kit'
import { z } from 'zod'

const billingConfigSchema = z.object({
  ...commonConfig,
  /** Database of billing; its tables are in the schema `billing`. */
  POSTGRES_URL: z.url({ protocol: /^postgres(ql)?$/ }),
})
/** Billing's variables. */
export type BillingConfig = z.output<typeof billingConfigSchema>

/** Reads billing's variables. @throws ConfigError naming every faulty one */
export const readBillingConfig = (environment: NodeJS.ProcessEnv = process.env): BillingConfig =>
  readConfig(billingConfigSchema, environment)
