import { type EngineName, type Engines, type EngineUrls, openEngines, readEngineConfig } from '@parley/engines'
import { scratchFolder } from '@parley/engines/scratch'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The engines of a project's tests, from `vitest.config.ts`. */
    wantedEngines: readonly EngineName[]
    /** The URLs of the run's engines by name; PostgreSQL's is a superuser's. */
    engines: EngineUrls
  }
}

/**
 * Starts the engines of the run's projects; each test file uses its own database, topic prefix or key prefix on them. An unavailable engine is
 * reported and its tests are skipped.
 * @throws Error if one is unavailable and `CI` is true
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = project.vitest.getRootProject()
  const { wantedEngines, engines: open = {} } = project.getProvidedContext()
  // Called for each project in turn; earlier ones may have opened the engines already.
  const { CI, TEST_WITHOUT: without } = readEngineConfig()
  const missing = wantedEngines.filter((name) => open[name] === undefined && !without.includes(name))
  const engines = await openEngines(missing, scratchFolder())
  const stop = stopOnSignal(engines)
  const notRun = engines.notRun.map(({ name, reason }) => `not run: ${name}: ${reason}`)
  if (notRun.length > 0 && CI === 'true') {
    await stop()
    throw new Error(notRun.join('\n'))
  }
  for (const line of notRun) console.warn(line)
  engines.onLost((reason) => {
    console.error(reason)
    process.exitCode = 1
    void project.vitest.cancelCurrentRun('test-failure')
  })
  run.provide('engines', { ...open, ...engines.urls })
  return stop
}

/** On a signal Vitest exits without running teardowns. */
function stopOnSignal(engines: Engines): () => Promise<void> {
  const onSignal = (): void => void engines.close()
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  return async () => {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
    await engines.close()
  }
}
