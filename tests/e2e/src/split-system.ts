import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SplitEngines, startSplit } from '@parley/split'
import { adminPassword, type System, type SystemOptions } from './system-kinds.ts'

/** Stops quickly: stuck answers end soon, and no load balancer needs a drain delay. */
const stopping = { STOP_GRACE_SECONDS: '5', DRAIN_DELAY_MS: '0' }

/** Starts every service as two processes behind balancers, on engines shared by all systems of the run. */
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

/** @throws Error when an engine is missing; the run's global setup has logged why */
async function enginesOfRun(): Promise<SplitEngines> {
  // Imported lazily: `vitest` cannot be loaded outside a test run, but all-in-one systems are also used there.
  const { inject } = await import('vitest')
  const { kafka, mongo, postgres, redis } = inject('engines')
  if (kafka === undefined || mongo === undefined || postgres === undefined || redis === undefined) {
    throw new Error('The split system needs Kafka, MongoDB, PostgreSQL and Redis')
  }
  return { kafka, mongo, postgres, redis }
}
