import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from './log.ts'

/** A service as its factory makes it: nothing is open until `start`. */
export interface Service {
  readonly name: string
  readonly handler: RequestListener
  /** Migrates, subscribes and starts background work. */
  start(): Promise<void>
  /** From now on `/readyz` says no and no new work is begun. */
  drain(): void
  /** Ends background work and subscriptions; what runs is finished or handed over. Idempotent. */
  stop(): Promise<void>
}

/** A service that listens. */
export interface RunningService {
  readonly url: string
  readonly port: number
  /** Drains, waits for running answers up to `graceMs`, then stops the service. Idempotent. */
  stop(graceMs?: number): Promise<void>
}

/** Starts a service and listens; port 0 takes a free one. */
export async function startService(service: Service, address: { host: string; port: number }): Promise<RunningService> {
  await service.start()
  const server = createServer({ noDelay: true, keepAliveTimeout: 75_000, maxHeaderSize: 32 * 1024 }, service.handler)
  try {
    await listen(server, address)
  } catch (error) {
    await service.stop()
    throw error
  }
  const { port } = server.address() as AddressInfo
  let stopping: Promise<void> | undefined
  return {
    url: `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${port}`,
    port,
    stop(graceMs = 10_000) {
      stopping ??= stopServer(service, server, graceMs)
      return stopping
    },
  }
}

function listen(server: Server, address: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function stopServer(service: Service, server: Server, graceMs: number): Promise<void> {
  service.drain()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(timer)
  await service.stop()
}

/** A second signal counts only after this long: under npm one Ctrl-C may arrive twice. Milliseconds. */
const repeatGuardMs = 500

/** Calls `stop` on SIGTERM or SIGINT and exits; a second signal exits at once. */
export function stopOnSignal(stop: () => Promise<void>, log: Logger): void {
  let firstAt: number | undefined
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstAt !== undefined) {
      if (Date.now() - firstAt > repeatGuardMs) process.exit(1)
      return
    }
    firstAt = Date.now()
    log.info({ signal }, 'stopping')
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stop failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
