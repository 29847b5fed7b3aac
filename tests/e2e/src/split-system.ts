import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SplitEngines, startSplit } from '@parley/split'
import { adminPassword, type System, type SystemOptions } from './system-kinds.ts'

/** Quick to stop: a stuck answer ends soon enough for a test to wait for it, and nobody spreads load who must see it coming. */
const stopping = { STOP_GRACE_SECONDS: '5', DRAIN_DELAY_MS: '0' }

/** Starts every service as two processes behind balancers, on engines that all systems of the run share. */
export async function startSplitSystem(options: SystemOptions): Promise<System> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'parley-e2e-')))
  const { PORT = '0', ...further } = options.environment ?? {}
  const split = await startSplit({
    engines: await enginesOfRun(),
    replicas: 2,
    dataDir,
    port: Number(PORT),
    ...(process.env.WEB_DIR && { webDir: process.env.WEB_DIR }),
    ...(options.provider === undefined ? {} : { provider: options.provider }),
    environment: { LOG_LEVEL: 'warn', ...stopping, ADMIN_PASSWORD: adminPassword, ...further },
    show: (line) => process.stderr.write(`${line}\n`),
  })
  return {
    url: split.url,
    inboxUrl: split.inboxUrl,
    admin: split.admin,
    dataDir,
    stop: split.stop,
    kill: split.kill,
    dispose: split.dispose,
  }
}

/** @throws Error when one could not be had; the run has said why */
async function enginesOfRun(): Promise<SplitEngines> {
  // Loaded here, since it refuses to be loaded outside a test run, where systems of the other kind are of use too.
  const { inject } = await import('vitest')
  const { kafka, mongo, postgres, redis } = inject('engines')
  if (kafka === undefined || mongo === undefined || postgres === undefined || redis === undefined) {
    throw new Error('The split system needs Kafka, MongoDB, PostgreSQL and Redis')
  }
  return { kafka, mongo, postgres, redis }
}
