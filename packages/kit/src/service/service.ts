import type { RequestListener } from 'node:http'
import { type HttpListener, type ListenAddress, listen } from '../http/http-listener.ts'
import type { Upgrades } from '../http/upgrades.ts'

/** A service as its factory makes it: nothing is open until `start`. */
export interface Service {
  readonly name: string
  readonly handler: RequestListener
  /** Without it no connection can be upgraded. */
  readonly upgrades?: Upgrades
  /** Migrates, subscribes and starts background work. After a failure it may be called again. */
  start(): Promise<void>
  /** From now on `/readyz` is 503 and no new work begins. */
  drain(): void
  /** Ends background work and subscriptions; what runs is finished or handed over. Idempotent, and allowed before `start`. */
  stop(): Promise<void>
  /** A message from the service's start to the operator, such as a generated password; undefined for none. */
  announcement?(): string | undefined
}

/** A service that listens. */
export type RunningService = Awaited<ReturnType<typeof startService>>

/** Starts a service over engines that are there, and listens once it has started. */
export async function startService(service: Service, address: ListenAddress) {
  await service.start()
  const listener = await listen(service.handler, address, service.upgrades).catch(async (error: unknown) => {
    await service.stop()
    throw error
  })
  let stopping: Promise<void> | undefined
  return {
    /** The base URL, or the location of the socket. */
    url: listener.url,
    /** Drains, waits for running answers up to `graceMs`, then stops the service. Idempotent. */
    stop(graceMs = 10_000): Promise<void> {
      stopping ??= stopService(service, listener, graceMs)
      return stopping
    },
  }
}

async function stopService(service: Service, listener: HttpListener, graceMs: number): Promise<void> {
  service.drain()
  await listener.close(graceMs)
  await service.stop()
}
