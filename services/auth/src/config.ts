import { accountLimits } from '@parley/contracts/constants'
import { commonConfig, readConfig } from '@parley/kit'
import { z } from 'zod'

const authConfigSchema = z.object({
  ...commonConfig,
  /** Database of auth; its tables are in the schema `auth`. */
  POSTGRES_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  /** Where people reach the product; https makes the cookies `Secure`. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }),
  BILLING_URL: z.url({ protocol: /^https?$/ }),
  ADMIN_USERNAME: z.string().min(1).default('admin'),
  ADMIN_EMAIL: z.string().min(1).default('admin@localhost'),
  /** Of the first admin; generated when it is not given. */
  ADMIN_PASSWORD: z
    .string()
    .min(accountLimits.passwordMin, `must have at least ${accountLimits.passwordMin} characters`)
    .max(accountLimits.passwordMax)
    .optional(),
})

type Variables = z.output<typeof authConfigSchema>

/** What the service itself uses of its variables. */
export type AuthServiceConfig = Pick<
  Variables,
  'INTERNAL_SECRET' | 'PUBLIC_URL' | 'ADMIN_USERNAME' | 'ADMIN_EMAIL' | 'ADMIN_PASSWORD'
>

/** Reads auth's variables. @throws ConfigError naming every faulty one */
export const readAuthConfig = (environment: NodeJS.ProcessEnv = process.env): Variables =>
  readConfig(authConfigSchema, environment)
