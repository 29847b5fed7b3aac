import { eventBus } from '@parley/bus'
import { cacheEngine } from '@parley/cache'
import { defineService, storesOnPostgres, usageError } from '@parley/kit'
import { authVariables } from './config.ts'
import { singleSignOnTogether } from './single-sign-on/single-sign-on-config.ts'

const modules = {
  service: () => import('./service.ts'),
  stores: () => import('./store/index.ts'),
  consumers: () => import('./consumers.ts'),
  signals: () => import('./signals.ts'),
  recovery: () => import('./administration/recovery.ts'),
}

/** Answers who a user is and what they may do. */
export const auth = defineService({
  name: 'auth',
  modules,
  calls: ['billing', 'llm-router'],
  degradesWithout: ['billing', 'llm-router'],
  reachesOutside: true,
  engines: {
    stores: storesOnPostgres(async (options) => (await modules.stores()).openAuthStores(options)),
    bus: eventBus,
    cache: cacheEngine,
  },
  variables: authVariables,
  setTogether: singleSignOnTogether,
  async create(deps) {
    const { createAuthService } = await modules.service()
    return createAuthService({ ...deps, ...deps.engines, signal: deps.engines.cache.signal })
  },
  async subscriptions({ engines: { stores, cache }, log }) {
    const { authSubscriptions } = await modules.consumers()
    const { createSignals } = await modules.signals()
    return authSubscriptions(stores, createSignals(cache.signal, log))
  },
  reseal: {
    reads: ['AUTH_SECRETS'],
    async run({ engines: { stores }, config }) {
      const { resealStores } = await modules.recovery()
      await resealStores(stores, config.AUTH_SECRETS)
    },
  },
  commands: {
    /** Gives a user a new password and ends every session of theirs. */
    'reset-password': {
      parameters: ['<username>'],
      uses: ['stores'],
      async run({ engines: { stores } }, [username = '']) {
        const { resetPassword } = await modules.recovery()
        const password = await resetPassword(stores, username)
        if (password === undefined) throw usageError(`There is no user ${username}`)
        return `New password of ${username}: ${password} (shown this once; all sessions are ended)`
      },
    },
    /** Rotates the key that signs access tokens, a minute from now; nobody is signed out. */
    'rotate-keys': {
      parameters: [],
      uses: ['stores'],
      reads: ['AUTH_SECRETS'],
      async run({ engines: { stores }, config }) {
        const { presentRotation, rotateKeys } = await modules.recovery()
        return presentRotation(await rotateKeys(stores, config.AUTH_SECRETS))
      },
    },
  },
})
