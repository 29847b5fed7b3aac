import { accountLimits } from '@parley/contracts/constants'
import { secrets, serviceUrl } from '@parley/kit'
import { z } from 'zod'
import { type SingleSignOnVariables, singleSignOnVariables } from './single-sign-on/single-sign-on-config.ts'

/** Auth's own variables. */
export const authVariables = {
  /** Where people reach the product; https makes the cookies `Secure`. */
  PUBLIC_URL: serviceUrl,
  /** Seal signing keys, and sign what browsers and mails carry; no other service has them. */
  AUTH_SECRETS: secrets,
  ADMIN_USERNAME: z.string().min(1).default('admin'),
  ADMIN_EMAIL: z.string().min(1).default('admin@localhost'),
  /** Of the first admin; generated when it is not given. */
  ADMIN_PASSWORD: z
    .string()
    .min(accountLimits.passwordMin, `must have at least ${accountLimits.passwordMin} characters`)
    .max(accountLimits.passwordMax)
    .optional(),
  ...singleSignOnVariables,
}

type Variables = z.output<z.ZodObject<typeof authVariables>>

/** What the service uses of its variables. */
export type AuthServiceConfig = Pick<
  Variables,
  'PUBLIC_URL' | 'AUTH_SECRETS' | 'ADMIN_USERNAME' | 'ADMIN_EMAIL' | 'ADMIN_PASSWORD'
> &
  SingleSignOnVariables
