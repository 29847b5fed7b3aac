import { rm } from 'node:fs/promises'
import { openMemoryHub } from '@parley/cache'
import { openEmbeddedPostgres } from '@parley/db/embedded'
import {
  createLogger,
  freePort,
  type Logger,
  newId,
  openSocketFolder,
  parseOrigins,
  serveMetrics,
  startTracing,
  systemClock,
} from '@parley/kit'
import { composeParley } from './compose.ts'
import type { AllInOneConfig } from './config.ts'
import { openDataDir } from './data-dir.ts'
import { startDemoProvider } from './demo/provider.ts'
import { explainFullDisk } from './full-disk.ts'
import { type Inbox, startInbox } from './inbox/inbox.ts'
import { withDemo } from './providers.ts'
import { announcePostgres } from './with-postgres.ts'

/** A running `npm start`; without an inbox when SMTP_URL is set. */
export type AllInOne = Awaited<ReturnType<typeof startAllInOne>>

/**
 * Opens the embedded engines in `DATA_DIR`, the inbox and the demo, and composes the services on them.
 * @param signal aborts the start: what it has opened is closed, PostgreSQL once it has started, and the start rejects
 */
export async function startAllInOne(config: AllInOneConfig, signal: AbortSignal) {
  const log = createLogger('parley', config.LOG_LEVEL)
  const closers: (() => Promise<void>)[] = []
  let stopping: Promise<void> | undefined
  /** Drains the services, and stops engines last. Idempotent. */
  const stop = (): Promise<void> => {
    stopping ??= closers.toReversed().reduce((before, close) => before.then(close), Promise.resolve())
    return stopping
  }
  try {
    const tracing = await startTracing({ name: 'parley', endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT, log })
    closers.push(async () => void (await tracing.close()))
    const data = await openDataDir(config.DATA_DIR, log)
    const postgres = await openEmbeddedPostgres({ dataDir: data.postgres, log })
    closers.push(() => postgres.close())
    closers.push(await announcePostgres(data, postgres.url))
    const hub = openMemoryHub({ log })
    const demo = await startDemoProvider()
    closers.push(
      () => hub.close(),
      () => demo.close(),
    )
    const inbox = config.SMTP_URL === undefined ? await openInbox(config, data.inbox, log) : undefined
    if (inbox !== undefined) closers.push(() => inbox.close())
    // Chosen before anything listens, because the public URL contains it.
    const port = config.PORT === 0 ? await freePort(config.HOST) : config.PORT
    const publicUrl = config.PUBLIC_URL ?? `http://localhost:${port}`
    const socketFolder = openSocketFolder(data.root)
    if (socketFolder !== undefined) closers.push(() => rm(socketFolder, { recursive: true, force: true }))
    const parley = await composeParley({
      config: {
        ...withDemo(config, demo.url),
        PORT: port,
        PUBLIC_URL: publicUrl,
        SMTP_URL: config.SMTP_URL ?? inbox?.smtpUrl,
        ...data.secrets,
        // This process serves the metrics of all services itself.
        METRICS_PORT: undefined,
      },
      engines: { postgresUrl: postgres.url, hub },
      // The data directory is locked by this process.
      isOnlyReplica: true,
      socketFolder,
      log,
      signal,
    })
    closers.push(parley.stop)
    if (config.METRICS_PORT !== undefined) {
      const metrics = await serveMetrics(parley.metrics, { host: config.HOST, port: config.METRICS_PORT })
      closers.push(() => metrics.close(0))
    }
    signal.throwIfAborted()
    return { publicUrl, announcements: parley.announcements, inbox, log, stop }
  } catch (error) {
    await stop()
    throw explainFullDisk(error, config.DATA_DIR)
  }
}

function openInbox(config: AllInOneConfig, folder: string, log: Logger): Promise<Inbox> {
  const extraOrigins = parseOrigins(`${config.PUBLIC_URL ?? ''},${config.EXTRA_ORIGINS}`)
  return startInbox({
    folder,
    host: config.INBOX_HOST,
    port: config.INBOX_PORT,
    extraOrigins,
    log,
    now: systemClock,
    newId,
  })
}
