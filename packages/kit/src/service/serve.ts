import { setTimeout as delay } from 'node:timers/promises'
import type { z } from 'zod'
import { withTimeout } from '../async/with-timeout.ts'
import { listen } from '../http/http-listener.ts'
import type { commonConfig } from './config.ts'
import { stopOnSignal } from './process-end.ts'
import { createStartUp, type StartUpDeps } from './start-up.ts'

/** A service in a process of its own. */
export interface ServeOptions extends StartUpDeps {
  readonly config: Pick<
    z.output<z.ZodObject<typeof commonConfig>>,
    'HOST' | 'PORT' | 'STOP_GRACE_SECONDS' | 'DRAIN_DELAY_MS'
  >
  /** The service's engines, in the order in which they are closed after it. */
  readonly used: readonly { close(): unknown }[]
}

/** In milliseconds: after the grace period for last events to be written, in a hurry for everything, and after all that for engines to close. */
const limits = { finalEventsMs: 2_000, hurryMs: 1_000, closingMs: 10_000 }

/**
 * Listens at once and starts the service as soon as its engines are there. SIGTERM or SIGINT: unready at once, connections are accepted
 * for `DRAIN_DELAY_MS` more, running answers have `STOP_GRACE_SECONDS`, then the service stops and what it used is closed.
 * @throws when the address cannot be had
 */
export async function serve({ service, config, log, required, used }: ServeOptions): Promise<void> {
  const startUp = createStartUp({ service, required, log })
  const listener = await listen(startUp.handler, { host: config.HOST, port: config.PORT }, startUp.upgrades)
  const waiting = new AbortController()
  const graceMs = config.STOP_GRACE_SECONDS * 1_000
  let serving = false
  const stop = async (hurry: boolean): Promise<void> => {
    waiting.abort()
    service.drain()
    listener.drain()
    if (serving && !hurry) await delay(config.DRAIN_DELAY_MS)
    const answersMs = hurry ? limits.hurryMs : graceMs + limits.finalEventsMs
    // A start under way finishes first; one that hangs is abandoned.
    const settled = withTimeout(answersMs, starting).catch(() => undefined)
    await Promise.all([listener.close(answersMs), settled])
    await service.stop()
    for (const engine of used) await engine.close()
  }
  stopOnSignal(stop, log, config.DRAIN_DELAY_MS + graceMs + limits.finalEventsMs + limits.closingMs)
  log.info({ url: listener.url }, 'listening')
  const starting = startUp.run(waiting.signal).then((done) => {
    serving = done
    if (!done) return
    log.info('started')
    const announcement = service.announcement?.()
    if (announcement !== undefined) process.stdout.write(`${announcement}\n`)
  })
  await starting
}
