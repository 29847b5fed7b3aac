import { serviceUrl, smtpUrl } from '@parley/kit'
import { z } from 'zod'

/** Notifier's own variables. */
export const notifierVariables = {
  /** The public address of the product: the only origin that mails link to. */
  PUBLIC_URL: serviceUrl,
  SMTP_URL: smtpUrl,
  MAIL_FROM: z.string().min(1).default('Parley <parley@localhost>'),
}

/** The service's configuration, made from its variables. */
export type NotifierServiceConfig = z.output<z.ZodObject<typeof notifierVariables>>
