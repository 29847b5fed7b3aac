import { AppError, type Clock, createFreshValue, type Logger, reasonOf } from '@parley/kit'
import * as oidc from 'openid-client'
import { unexpectedAtSignOn } from '../refusals.ts'
import type { SingleSignOnConfig } from './single-sign-on-config.ts'

/** The user whom the provider vouches for. The pair of issuer and subject is the identity; nothing else is. */
export interface ProvenIdentity {
  readonly issuer: string
  readonly subject: string
  /** As the provider states it. */
  readonly claims: Readonly<Record<string, unknown>>
}
export type IdentityProvider = ReturnType<typeof createIdentityProvider>
/** The state of a sign-on, stored between the way to the provider and back. */
export type SignOnSecrets = ReturnType<typeof newSignOnSecrets>

/** New secrets of a sign-on. */
export const newSignOnSecrets = () => ({
  verifier: oidc.randomPKCECodeVerifier(),
  nonce: oidc.randomNonce(),
})

const timeoutSeconds = 8
const metadataMs = 3_600_000
/** After a failed fetch, the last metadata is used for this long without another attempt. */
const staleMs = 60_000
/** The library asks for keys that it does not know only when its copy is so old; ours may always be asked again, so that a provider may change keys at any time. */
const youngestKeysSeconds = 60

/**
 * An OpenID provider: people are sent there, and its response is exchanged for their identity. It is asked about itself when it is first needed, and
 * again after an hour; its keys are kept for 4 minutes.
 * @param redirectUri where the provider sends people back; never taken from a request
 */
export function createIdentityProvider(
  config: SingleSignOnConfig,
  { redirectUri, log, now }: { readonly redirectUri: string; readonly log: Logger; readonly now: Clock },
) {
  let keys: oidc.ExportedJWKSCache | undefined
  const metadata = createMetadata(config, now)

  async function configuration(): Promise<oidc.Configuration> {
    const made = new oidc.Configuration(await metadata(), config.clientId, {}, authentication(config.clientSecret))
    made.timeout = timeoutSeconds
    if (config.issuer.protocol === 'http:') oidc.allowInsecureRequests(made)
    oidc.enableNonRepudiationChecks(made)
    if (keys) oidc.setJwksCache(made, keys)
    return made
  }
  function keepKeys(made: oidc.Configuration): void {
    const used = oidc.getJwksCache(made)
    if (used !== undefined && used.uat !== keys?.uat) keys = { ...used, uat: used.uat - youngestKeysSeconds }
  }

  return {
    label: config.label,
    /** The URL to redirect the user to. @throws AppError unavailable while the provider's metadata cannot be fetched */
    async authorizationUrl(state: string, { verifier, nonce }: SignOnSecrets): Promise<URL> {
      const known = await configuration().catch((error: unknown) => {
        throw signOnUnavailable('Failed to initiate OAuth login. Please try again.', error)
      })
      return oidc.buildAuthorizationUrl(known, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    /**
     * @param response the parameters that the provider sent a browser back with
     * @throws AppError unauthenticated when the provider or its answer does not prove anything, unavailable
     */
    async exchange(
      { code, state, iss }: { code: string; state: string; iss: string | undefined },
      { verifier, nonce }: SignOnSecrets,
    ): Promise<ProvenIdentity> {
      try {
        const known = await configuration()
        const { issuer } = known.serverMetadata()
        const back = new URL(redirectUri)
        // There is one provider, so a response without an issuer is its.
        back.search = new URLSearchParams({ code, state, iss: iss ?? issuer }).toString()
        const checks = { pkceCodeVerifier: verifier, expectedNonce: nonce, expectedState: state, idTokenExpected: true }
        const tokens = await oidc.authorizationCodeGrant(known, back, checks)
        keepKeys(known)
        const claims = tokens.claims()
        if (claims === undefined) throw unexpectedAtSignOn()
        const more = await userInfo(known, tokens.access_token, claims)
        return { issuer: claims.iss, subject: claims.sub, claims: { ...more, ...claims } }
      } catch (error) {
        throw exchangeFailure(error, log)
      }
    },
  }
}

/** Many providers tell the address at their userinfo endpoint only. */
async function userInfo(
  known: oidc.Configuration,
  accessToken: string,
  { sub, email }: oidc.IDToken,
): Promise<Record<string, unknown>> {
  if (email !== undefined || known.serverMetadata().userinfo_endpoint === undefined) return {}
  return await oidc.fetchUserInfo(known, accessToken, sub)
}

/** The provider's metadata, fetched at most once at a time and cached for an hour; while it cannot be renewed the last one is used, with one attempt a minute. */
function createMetadata({ issuer, clientId, clientSecret }: SingleSignOnConfig, now: Clock) {
  const kept = createFreshValue<oidc.ServerMetadata>({ maxAgeMs: metadataMs, staleMs, now })
  const ask = async (): Promise<oidc.ServerMetadata> => {
    const execute = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []
    const options = { execute, timeout: timeoutSeconds }
    const found = await oidc.discovery(issuer, clientId, {}, authentication(clientSecret), options)
    return { ...found.serverMetadata() }
  }
  return () => kept.get(ask)
}

/** In the header, as the standard prefers, unless the provider accepts the secret in the body only. */
function authentication(secret: string): oidc.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const postOnly = taken.includes('client_secret_post') && !taken.includes('client_secret_basic')
    return (postOnly ? post : basic)(server, ...rest)
  }
}

const exchangeFailed = 'Authentication failed during token exchange.'

function exchangeFailure(error: unknown, log: Logger): AppError {
  if (isUnavailable(error)) return signOnUnavailable(exchangeFailed, error)
  if (!(error instanceof oidc.ClientError || error instanceof oidc.ResponseBodyError)) return unexpectedAtSignOn(error)
  // Without the compared values: they may be a user's name and address.
  log.warn(
    { reason: reasonOf(error), errorCode: error.code },
    'a sign-on was refused by the provider, or its answer by us',
  )
  return new AppError('unauthenticated', exchangeFailed)
}

const signOnUnavailable = (message: string, cause: unknown): AppError =>
  new AppError('unavailable', message, { headers: { 'retry-after': '5' }, cause })

/** True when the provider could not be reached, was too slow, or is broken: trying again later may help. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof TypeError) return !('code' in error)
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500
  if (!(error instanceof oidc.ClientError)) return false
  if (error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT') return true
  return error.cause instanceof Response && error.cause.status >= 500
}
