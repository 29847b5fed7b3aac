import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Configuration, type JWK, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { followSignOn } from '../calls/sign-on-visit.ts'
import { createOidcMemory } from './oidc-memory.ts'

export interface OidcAccount {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: unknown
  readonly preferred_username?: string
  readonly name?: string
}
export interface OidcClient {
  readonly client_id: string
  readonly client_secret: string
  readonly redirect_uris: readonly string[]
  readonly token_endpoint_auth_method?: 'client_secret_basic' | 'client_secret_post'
}
/** The fault of ID tokens: a wrong claim, or a signature by a foreign key. */
export type Forgery = 'nonce' | 'aud' | 'iss' | 'exp' | 'signature'
export type OidcProvider = Awaited<ReturnType<typeof startOidcProvider>>

/**
 * A real OpenID provider on a loopback port: it requires PKCE, registered redirect URIs and single-use codes. It has no passwords:
 * every visitor is the account of `login_hint`, or else of `signInAs`.
 */
export async function startOidcProvider(options: {
  readonly clients: readonly OidcClient[]
  readonly accounts: readonly OidcAccount[]
  /** Puts all claims into the ID token; otherwise they are at the userinfo endpoint. */
  readonly claimsInIdToken?: boolean
}) {
  const accounts = new Map(options.accounts.map((account) => [account.sub, account]))
  const clients = new Map(options.clients.map((client) => [client.client_id, client]))
  let [present] = accounts.keys()
  let down = false
  let forgery: Forgery | undefined
  const asked: string[] = []
  const adapter = createOidcMemory()
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '/', issuer).pathname)
    if (down) request.socket.destroy()
    else handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  let key = newKey()
  let serve = build()
  function build() {
    const { claimsInIdToken = false } = options
    const known = { clients: [...clients.values()], key, claimsInIdToken, adapter, find }
    const provider = new Provider(issuer, configurationOf(known))
    provider.use(async (context, next) => {
      await next()
      const { route } = (context as KoaContextWithOIDC).oidc ?? {}
      if (route === 'token' && forgery) forge(context as { body?: { id_token?: string } }, forgery, key)
    })
    const answer = provider.callback()
    return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { pathname } = new URL(request.url ?? '/', issuer)
      // No session is kept, so that the test decides who signs in.
      if (pathname === '/auth') delete request.headers.cookie
      if (!pathname.startsWith('/interaction/')) return await answer(request, response)
      const { params } = await provider.interactionDetails(request, response)
      const accountId = String(params.login_hint ?? present)
      const result = accounts.has(accountId) ? { login: { accountId } } : { error: 'access_denied' }
      await provider.interactionFinished(request, response, result)
    }
  }
  function handle(request: IncomingMessage, response: ServerResponse): void {
    serve(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  }
  function find(sub: string): OidcAccount | undefined {
    return accounts.get(sub)
  }

  return {
    issuer,
    /** Requested paths so far. */
    asked,
    /** Upserts an account. */
    know: (account: OidcAccount) => void accounts.set(account.sub, account),
    /** Sets the account that signs in from now on; an unknown `sub` is refused. */
    signInAs(sub: string) {
      present = sub
    },
    /** Adds a redirect URI to a client. */
    allowRedirect(clientId: string, uri: string) {
      const client = clients.get(clientId)
      if (client === undefined) throw new Error(`no client ${clientId}`)
      clients.set(clientId, { ...client, redirect_uris: [...client.redirect_uris, uri] })
      serve = build()
    },
    /** Cuts every connection until it is up again. */
    setDown(isDown: boolean) {
      down = isDown
      if (down) server.closeAllConnections()
    },
    /** Forges ID tokens from now on; undefined stops it. */
    forge(what: Forgery | undefined) {
      forgery = what
    },
    /** Rotates the signing key, as a restart does. */
    changeKeys() {
      key = newKey()
      serve = build()
    },
    /** Follows the URL of a sign-on like a browser, and resolves to the redirect's parameters. @throws Error if the provider shows a page instead */
    visit: (url: string, sub?: string) => followSignOn(url, issuer, sub),
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const newKey = (): JsonWebKey =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })

interface Known {
  readonly clients: readonly OidcClient[]
  readonly key: JsonWebKey
  readonly claimsInIdToken: boolean
  readonly adapter: NonNullable<Configuration['adapter']>
  readonly find: (sub: string) => OidcAccount | undefined
}
function configurationOf({ clients, key, claimsInIdToken, adapter, find }: Known): Configuration {
  return {
    adapter,
    clients: clients.map((client) => ({ ...client, redirect_uris: [...client.redirect_uris] })),
    jwks: { keys: [{ ...key, use: 'sig', alg: 'RS256' } as JWK] },
    cookies: { keys: ['of a test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    conformIdTokenClaims: !claimsInIdToken,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_context, sub) => {
      const account = find(sub)
      return account && { accountId: sub, claims: async () => ({ ...account }) }
    },
    renderError: async (context, { error, error_description }) => {
      context.body = `${error}: ${error_description ?? ''}`
    },
    /** Every user consents. */
    async loadExistingGrant({ oidc }) {
      const { client, session, provider } = oidc
      const grant = new provider.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}

function forge(context: { body?: { id_token?: string } }, what: Forgery, key: JsonWebKey): void {
  const token = context.body?.id_token
  if (context.body === undefined || token === undefined) return
  const [header = '', payload = ''] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  const wrong = { nonce: 'another', aud: 'another', iss: 'https://another.test', exp: 1, signature: undefined }[what]
  const changed = what === 'signature' ? claims : { ...claims, [what]: wrong }
  const signer: KeyObject = createPrivateKey({ key: what === 'signature' ? newKey() : key, format: 'jwk' })
  const text = `${header}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}`
  context.body.id_token = `${text}.${sign('sha256', Buffer.from(text), signer).toString('base64url')}`
}
