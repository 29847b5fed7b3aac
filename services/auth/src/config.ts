import { accountLimits } from '@parley/contracts/constants'
import { serviceUrl } from '@parley/kit'
import { z } from 'zod'
import { type SingleSignOnVariables, singleSignOnVariables } from './single-sign-on-config.ts'

/** Auth's own variables. */
export const authVariables = {
  /** Where people reach the product; https makes the cookies `Secure`. */
  PUBLIC_URL: serviceUrl,
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
export type AuthServiceConfig = Pick<Variables, 'PUBLIC_URL' | 'ADMIN_USERNAME' | 'ADMIN_EMAIL' | 'ADMIN_PASSWORD'> &
  SingleSignOnVariables & { readonly INTERNAL_SECRET: string }
