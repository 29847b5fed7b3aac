import { commonConfig, readConfig } from '@parley/kit'
import { z } from 'zod'

const notifierConfigSchema = z.object({
  ...commonConfig,
  /** Database of notifier; its tables are in the schema `notifier`. */
  POSTGRES_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  AUTH_URL: z.url({ protocol: /^https?$/ }),
  /** Where people reach the product: the only origin that a mail names. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }),
  MAIL_FROM: z.string().min(1).default('Parley <parley@localhost>'),
})

type Variables = z.output<typeof notifierConfigSchema>

/** What the service itself uses of its variables. */
export type NotifierServiceConfig = Pick<Variables, 'PUBLIC_URL' | 'SMTP_URL' | 'MAIL_FROM'>

/** Reads notifier's variables. @throws ConfigError naming every faulty one */
export const readNotifierConfig = (environment: NodeJS.ProcessEnv = process.env): Variables =>
  readConfig(notifierConfigSchema, environment)
