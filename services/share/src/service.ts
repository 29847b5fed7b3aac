import { createBusEndpoint, type EventBus } from '@parley/bus'
import type { CacheEngine } from '@parley/cache'
import {
  createHttpApp,
  createPasswordHasher,
  every,
  type PasswordCost,
  type Service,
  type ServiceClient,
  type Tools,
} from '@parley/kit'
import { createPrincipals } from '@parley/kit/access-token'
import { cleanUp } from './cleanup.ts'
import { shareSubscriptions } from './consumers.ts'
import { createLinkState } from './link-state.ts'
import { createPasswordGuard } from './password-guard.ts'
import { addShareRoutes } from './routes/share-routes.ts'
import { createShares } from './shares.ts'
import type { ShareStores } from './store/index.ts'

/** The dependencies of share; the caller that opened them closes them. */
export interface ShareServiceDeps extends Tools {
  readonly stores: ShareStores
  readonly bus: EventBus
  readonly cache: Pick<CacheEngine, 'counter' | 'signal' | 'health'>
  readonly client: ServiceClient
  /** Overrides the cost that OWASP recommends. */
  readonly passwordCost?: PasswordCost
}

/** Milliseconds between two clean-ups. */
const cleanupMs = 10 * 60_000

/** Public links to chats. */
export function createShareService(deps: ShareServiceDeps): Service {
  const { stores, cache, client, log, now, newId } = deps
  const { shares: store } = stores
  const principals = createPrincipals(client, now)
  const state = createLinkState({ client, principals, now })
  const guard = createPasswordGuard(createPasswordHasher(deps.passwordCost), cache.counter)
  const shares = createShares({ shares: store, client, state, guard, now, newId })
  const endpoint = createBusEndpoint(deps)
  const job = (stopping: AbortSignal) => cleanUp({ shares: store, state, now }, stopping)
  const cleaning = every(cleanupMs, job, { name: 'remove links that lead nowhere', log })
  let draining = false
  const signals: (() => void)[] = []
  const forget = (): void => {
    principals.clear()
    state.clear()
  }
  return {
    name: 'share',
    handler: createHttpApp(
      {
        ...deps,
        checks: { store: () => stores.ping() },
        optional: { bus: endpoint.health, cache: () => cache.health() },
        draining: () => draining,
      },
      (router) => addShareRoutes(router, { shares, store, state, client, log }),
    ),
    async start() {
      await stores.migrate()
      await endpoint.start(shareSubscriptions(deps))
      signals.push(
        cache.signal.subscribe('principal-changed', ({ userId }) => principals.drop(userId)),
        cache.signal.subscribe('chat-changed', ({ chatId, kind }) => kind === 'deleted' && state.dropChat(chatId)),
        cache.signal.subscribe('chats-changed', ({ kind, chats }) => {
          if (kind === 'deleted') for (const { chatId } of chats) state.dropChat(chatId)
        }),
        cache.signal.subscribe('caches-cleared', forget),
        cache.signal.onMissed(forget),
        cache.signal.onHintsMissed(() => state.clear()),
      )
      cleaning.start()
    },
    drain() {
      draining = true
    },
    async stop() {
      draining = true
      for (const end of signals.splice(0)) end()
      await Promise.all([endpoint.stop(), cleaning.stop()])
    },
  }
}
