import { createRequestCounts, type Service } from '@parley/kit'
import { createPrincipals, createTokenVerifier } from '@parley/kit/access-token'
import { createApp } from './app.ts'
import type { GatewayServiceDeps } from './deps.ts'
import { createRelay } from './http/relay.ts'
import { createSocketRelay } from './http/socket-relay.ts'
import { createKnownKeys } from './identity/known-keys.ts'
import { createOpenStreams } from './open-streams.ts'

/** The API gateway: authenticates, authorises and limits requests, and relays the rest unchanged. */
export function createGatewayService(deps: GatewayServiceDeps): Service {
  const principals = createPrincipals(deps.client, deps.now)
  const counts = createRequestCounts(deps)
  const keys = createKnownKeys(deps.client, deps.now)
  const streams = createOpenStreams(deps.now)
  const logFailure = (review: Promise<void>): void =>
    void review.catch((error: unknown) => deps.log.error({ err: error }, 'checking the rights of open streams failed'))
  const clear = (): void => {
    principals.clear()
    keys.clear()
    deps.settings.drop()
  }
  const relay = createRelay(deps)
  const sockets = createSocketRelay(deps)
  const subscriptions: (() => void)[] = []
  let draining = false
  return {
    name: 'gateway',
    handler: createApp({
      ...deps,
      principals,
      keys,
      streams,
      counts,
      relay,
      sockets,
      verifyToken: createTokenVerifier(deps.client, { viewing: true }),
      draining: () => draining,
    }),
    upgrades: sockets.upgrades,
    async start() {
      counts.start()
      subscriptions.push(
        deps.signal.subscribe('principal-changed', ({ userId }) => {
          principals.drop(userId)
          logFailure(streams.review(userId))
        }),
        deps.signal.subscribe('key-changed', ({ keyId, userId }) => {
          keys.drop(keyId)
          logFailure(streams.review(userId))
        }),
        deps.signal.subscribe('settings-changed', () => deps.settings.drop()),
        deps.signal.subscribe('caches-cleared', clear),
        deps.signal.onMissed(() => {
          clear()
          logFailure(streams.reviewAll())
        }),
      )
    },
    drain() {
      draining = true
      sockets.drain()
    },
    async stop() {
      draining = true
      for (const unsubscribe of subscriptions.splice(0)) unsubscribe()
      relay.close()
      await counts.stop()
    },
  }
}
