import { z } from 'zod'

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])
/** Over http everybody on the way could sign in as anybody. */
const isSafeIssuer = (issuer: string): boolean => {
  const url = URL.parse(issuer)
  if (url === null) return false
  const { protocol, hostname, username, search, hash } = url
  if (username !== '' || search !== '' || hash !== '') return false
  return protocol === 'https:' || loopbackHosts.has(hostname)
}

/** Single sign-on by OpenID Connect: off without them. */
export const singleSignOnVariables = {
  /** The provider's issuer identifier; its discovery document is found under it. */
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be an https URL' })
    .refine(isSafeIssuer, 'must be an https URL without credentials, query and fragment')
    .optional(),
  OIDC_CLIENT_ID: z.string().max(1_000).optional(),
  OIDC_CLIENT_SECRET: z.string().max(1_000).optional(),
  /** The button's label. */
  OIDC_LABEL: z.string().max(60).default('Single sign-on'),
}
/** The values of `singleSignOnVariables`. */
export type SingleSignOnVariables = Partial<z.output<z.ZodObject<typeof singleSignOnVariables>>>

/** Variables of which all or none must be set. */
export const singleSignOnTogether = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const

export type SingleSignOnConfig = NonNullable<ReturnType<typeof singleSignOnOf>>

/** An OpenID provider and who we are to it; undefined when there is no single sign-on. */
export function singleSignOnOf(variables: SingleSignOnVariables) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = variables
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined
  return { issuer: new URL(issuer), clientId, clientSecret, label: variables.OIDC_LABEL ?? 'Single sign-on' }
}
