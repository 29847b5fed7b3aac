import { engineNames, openEngines } from '@parley/engines'
import type { SplitEngines } from './data-directory.ts'

/** Engines that were found or started on this machine. */
export interface LocalEngines {
  readonly engines: SplitEngines
  /** Ends those that were started, with their data. Idempotent. */
  close(): Promise<void>
}

/** The engines that variables name, else started ones; they keep nothing after their end. @throws Error saying which cannot be had, and why */
export async function openLocalEngines(): Promise<LocalEngines> {
  const { urls, notRun, close } = await openEngines(engineNames)
  const { kafka, mongo, postgres, redis } = urls
  if (kafka === undefined || mongo === undefined || postgres === undefined || redis === undefined) {
    await close()
    throw new Error(`Not to be had: ${notRun.map(({ name, reason }) => `${name} (${reason})`).join(', ')}`)
  }
  return { engines: { kafka, mongo, postgres, redis }, close }
}
