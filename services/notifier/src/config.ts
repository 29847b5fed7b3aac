import { serviceUrl } from '@parley/kit'
import { z } from 'zod'

/** Notifier's own variables. */
export const notifierVariables = {
  /** Where people reach the product: the only origin that a mail names. */
  PUBLIC_URL: serviceUrl,
  SMTP_URL: z.url({ protocol: /^smtps?$/ }),
  MAIL_FROM: z.string().min(1).default('Parley <parley@localhost>'),
}

/** What the service uses of its variables. */
export type NotifierServiceConfig = z.output<z.ZodObject<typeof notifierVariables>>
