import { engineNames, openEngines } from '@parley/engines'

/**
 * The engines of variables, or else newly started ones without persistence, which `close` stops.
 * @throws Error with the unavailable engines and the reasons
 */
export async function openLocalEngines() {
  const { urls, notRun, close } = await openEngines(engineNames)
  const { kafka, mongo, postgres, redis } = urls
  if (kafka === undefined || mongo === undefined || postgres === undefined || redis === undefined) {
    await close()
    throw new Error(`Unavailable engines: ${notRun.map(({ name, reason }) => `${name} (${reason})`).join(', ')}`)
  }
  return { engines: { kafka, mongo, postgres, redis }, close }
}
