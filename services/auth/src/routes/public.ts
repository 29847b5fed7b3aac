import { accountLimits, authRoutes } from '@parley/contracts'
import { mount } from '@parley/kit'
import type { IRouter } from 'express'
import type { AuthParts } from '../parts.ts'

/** Public information: the ways to sign in, and the keys that verify tokens. */
export function addPublicRoutes(router: IRouter, { stores, provider }: Pick<AuthParts, 'stores' | 'provider'>): void {
  const { settings, signingKeys } = stores
  mount(router, authRoutes.config, async () => {
    const { registration, guest } = (await settings.read()).settings
    return {
      body: {
        registration,
        guest: { enabled: guest.enabled, messageLimit: guest.weeklyLimit },
        oauth: { enabled: provider !== undefined, label: provider?.label ?? null },
        limits: accountLimits,
      },
    }
  })
  mount(router, authRoutes.jwks, async () => ({ body: { keys: await signingKeys.publicKeys() } }))
}
