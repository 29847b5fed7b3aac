import { authAdminRoutes, authRoutes, type OAuthAnswer, type SettingsPatch } from '@parley/contracts'
import { newId } from '@parley/kit'
import { type OidcAccount, type OidcProvider, startOidcProvider } from '@parley/testing/oidc-provider'
import { type Browser, givenSuperAdmin } from './browser.ts'
import { adminPassword, startAuth, startAuthAlone } from './running-auth.ts'

export const client = {
  client_id: 'parley',
  client_secret: 'what parley and the provider know',
  redirect_uris: ['http://localhost:8080/auth/callback'],
} as const
export type SignOn = Awaited<ReturnType<typeof startSignOn>>

/** What auth is told of a provider. */
export const variablesOf = (issuer: string) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: client.client_id,
  OIDC_CLIENT_SECRET: client.client_secret,
  OIDC_LABEL: 'Sign in with the test',
})

/** auth with a real provider beside it. */
export async function startSignOn(parts: { claimsInIdToken?: boolean; postOnly?: boolean } = {}) {
  const method = parts.postOnly ? ({ token_endpoint_auth_method: 'client_secret_post' } as const) : {}
  const provider = await startOidcProvider({ ...parts, clients: [{ ...client, ...method }], accounts: [] })
  const auth = await startAuthAlone({ singleSignOn: variablesOf(provider.issuer) })
  return {
    auth,
    provider,
    /** A second process on the same database. */
    replica: () => startAuth({ database: auth.database, singleSignOn: variablesOf(provider.issuer) }),
    async configure(body: SettingsPatch) {
      const { browser } = await givenSuperAdmin(auth, adminPassword)
      const answer = await auth.api.as(await browser.principal()).call(authAdminRoutes.updateSettings, { body })
      if (answer.status !== 200) throw new Error(answer.text)
    },
    async stop() {
      await auth.stop()
      await provider.close()
    },
  }
}

/** Somebody whom the provider knows, with a confirmed address. */
export function givenAccount(provider: OidcProvider, parts: Partial<OidcAccount> = {}) {
  const name = `someone-${newId().slice(0, 8)}`
  const account = { sub: name, email: `${name}@example.test`, email_verified: true, preferred_username: name, ...parts }
  provider.know(account)
  return account
}

/** The way to the provider, as the browser is told it. */
export async function start(browser: Browser, returnTo?: string): Promise<string> {
  const answer = await browser.call(
    authRoutes.startOAuth,
    undefined,
    returnTo === undefined ? {} : { query: { returnTo } },
  )
  if (answer.status !== 200) throw new Error(`no sign-on: ${answer.text}`)
  return (answer.body as { url: string }).url
}

/** There, and with what it gave back again. */
export async function signOn({ provider }: Pick<SignOn, 'provider'>, browser: Browser, sub: string, returnTo?: string) {
  const { code, state, iss } = await provider.visit(await start(browser, returnTo), sub)
  return await browser.call(authRoutes.finishOAuth, { code, state, iss })
}

/** The user of a sign-on that ended with a session. */
export function userOf(answer: { status: number; text: string; body: unknown }) {
  const body = answer.body as OAuthAnswer
  if (answer.status !== 200 || !('token' in body)) throw new Error(`not signed in: ${answer.text}`)
  return body.user
}
