import { type OidcAccount, type OidcProvider, startOidcProvider } from '@parley/testing/oidc-provider'
import { type System, startSystem } from './system.ts'

/** A system with single sign-on, and the provider that it sends people to. */
export interface SignOnSystem {
  readonly system: System
  readonly provider: OidcProvider
  close(): Promise<void>
}

const client = { client_id: 'parley', client_secret: 'what parley and the provider know', redirect_uris: [] }

/** Starts it on fresh data. Who comes to the provider is the first of the accounts, or the one of `provider.signInAs`. */
export async function startSignOnSystem(accounts: readonly OidcAccount[]): Promise<SignOnSystem> {
  const provider = await startOidcProvider({ clients: [client], accounts })
  const system = await startSystem({
    environment: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: client.client_id,
      OIDC_CLIENT_SECRET: client.client_secret,
      OIDC_LABEL: 'Continue with the company',
    },
  })
  provider.allowRedirect(client.client_id, `${system.url}/auth/callback`)
  return {
    system,
    provider,
    async close() {
      await system.dispose()
      await provider.close()
    },
  }
}
