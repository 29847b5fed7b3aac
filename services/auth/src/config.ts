import { accountLimits } from '@parley/contracts/constants'
import { secrets, serviceUrl } from '@parley/kit'
import { z } from 'zod'
import { type SingleSignOnVariables, singleSignOnVariables } from './single-sign-on/single-sign-on-config.ts'

const { usernameMin, usernameMax, passwordMin, passwordMax } = accountLimits

/** Auth's own variables. */
export const authVariables = {
  /** The public address of the product; https makes the cookies `Secure`. */
  PUBLIC_URL: serviceUrl,
  /** Seal signing keys, and sign what browsers and mails carry; no other service has them. */
  AUTH_SECRETS: secrets,
  ADMIN_USERNAME: z
    .string()
    .regex(
      new RegExp(`^[A-Za-z0-9_-]{${usernameMin},${usernameMax}}$`),
      `must have ${usernameMin} to ${usernameMax} letters, digits, hyphens or underscores`,
    )
    .default('admin'),
  /** A name in the own network will do. */
  ADMIN_EMAIL: z
    .string()
    .max(254)
    .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
    .default('admin@localhost'),
  /** Of the first admin; generated when it is not given. */
  ADMIN_PASSWORD: z
    .string()
    .min(passwordMin, `must have at least ${passwordMin} characters`)
    .max(passwordMax)
    .optional(),
  ...singleSignOnVariables,
}

/** The service's configuration, made from its variables. */
export type AuthServiceConfig = Omit<z.output<z.ZodObject<typeof authVariables>>, keyof SingleSignOnVariables> &
  SingleSignOnVariables
