import type { FirstAdmin } from '@parley/auth'
import type { ServiceName } from '@parley/contracts'
import type { ComposeOptions } from './compose-options.ts'
import { openHouse } from './house.ts'
import {
  authService,
  billingService,
  chatService,
  gatewayService,
  llmRouterService,
  notifierService,
  realtimeService,
} from './services.ts'

export type { Engines } from './house.ts'

/** A running Parley. */
export interface Parley {
  /** Of the gateway. */
  readonly url: string
  /** Made by this start; undefined when there was one. */
  readonly firstAdmin: FirstAdmin | undefined
  /** Base URL of one of its services on the loopback. */
  urlOf(service: ServiceName): string
  /** Ends the gateway first, then what stands behind it. Idempotent. */
  stop(): Promise<void>
}

/**
 * Starts every service on a loopback port of its own, and the gateway in front of them. Composed twice over the same engines, the two
 * are replicas of each other.
 */
export async function composeParley(options: ComposeOptions): Promise<Parley> {
  const house = openHouse(options)
  const loopback = { host: '127.0.0.1', port: 0 }
  try {
    const auth = await authService(house, options)
    const others = [
      billingService(house, options),
      llmRouterService(house, options),
      notifierService(house, options),
      chatService(house, options),
      realtimeService(house, options),
    ]
    const services = [auth, ...(await Promise.all(others))]
    await Promise.all(services.map((service) => house.run(service, loopback)))
    const gateway = await house.run(gatewayService(house, options), {
      host: options.config.HOST,
      port: options.config.PORT,
    })
    return { url: gateway.url, firstAdmin: auth.firstAdmin(), urlOf: house.locate, stop: house.close }
  } catch (error) {
    await house.close()
    throw error
  }
}
