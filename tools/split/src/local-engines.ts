import { engineNames, openEngines } from '@parley/engines'
import type { SplitEngines } from './data-directory.ts'

/** Engines found or started on this machine. */
export interface LocalEngines {
  readonly engines: SplitEngines
  /** Stops started engines and removes their data. Idempotent. */
  close(): Promise<void>
}

/** The engines of variables, or else newly started ones without persistence. @throws Error with the unavailable engines and the reasons */
export async function openLocalEngines(): Promise<LocalEngines> {
  const { urls, notRun, close } = await openEngines(engineNames)
  const { kafka, mongo, postgres, redis } = urls
  if (kafka === undefined || mongo === undefined || postgres === undefined || redis === undefined) {
    await close()
    throw new Error(`Unavailable engines: ${notRun.map(({ name, reason }) => `${name} (${reason})`).join(', ')}`)
  }
  return { engines: { kafka, mongo, postgres, redis }, close }
}
