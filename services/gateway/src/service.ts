import type { Service } from '@parley/kit'
import { createPrincipals, createTokenVerifier } from '@parley/kit/access-token'
import { createApp } from './app.ts'
import type { GatewayServiceDeps } from './deps.ts'
import { createRelay } from './http/relay.ts'
import { createSocketRelay } from './http/socket-relay.ts'
import { createOpenStreams } from './open-streams.ts'

/** The one door: says who calls, whether they may and how often, and relays the rest untouched. */
export function createGatewayService(deps: GatewayServiceDeps): Service {
  const principals = createPrincipals(deps.client, deps.now)
  const streams = createOpenStreams(principals)
  const relay = createRelay(deps)
  const sockets = createSocketRelay(deps)
  const subscriptions: (() => void)[] = []
  let draining = false
  return {
    name: 'gateway',
    handler: createApp({
      ...deps,
      principals,
      streams,
      relay,
      sockets,
      verifyToken: createTokenVerifier(deps.client),
      draining: () => draining,
    }),
    upgrades: sockets.upgrades,
    async start() {
      subscriptions.push(
        deps.signal.subscribe('principal-changed', ({ userId }) => {
          principals.drop(userId)
          streams.review(userId).catch((error: unknown) => deps.log.error({ err: error }, 'streams were not reviewed'))
        }),
        deps.signal.subscribe('settings-changed', () => deps.settings.drop()),
        deps.signal.subscribe('caches-cleared', () => {
          principals.clear()
          deps.settings.drop()
        }),
        deps.signal.onMissed(() => {
          principals.clear()
          deps.settings.drop()
          streams.reviewAll().catch((error: unknown) => deps.log.error({ err: error }, 'streams were not reviewed'))
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
    },
  }
}
