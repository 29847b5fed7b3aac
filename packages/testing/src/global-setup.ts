import { type EngineName, type Engines, type EngineUrls, openEngines, readEngineConfig } from '@parley/engines'
import { scratchFolder } from '@parley/engines/scratch'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The engines that a project's tests run on, as `vitest.config.ts` says. */
    wantedEngines: readonly EngineName[]
    /** The run's engines by name. PostgreSQL's is a superuser's URL. */
    engines: EngineUrls
  }
}

/**
 * Gives the run the engines that its projects want; each test file takes its own database, prefix of topics or prefix of keys on them. One that
 * cannot be had is named and its tests are skipped.
 * @throws Error when one cannot be had and `CI` is true
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = project.vitest.getRootProject()
  const { wantedEngines, engines: open = {} } = project.getProvidedContext()
  // Each project of the run comes here in turn and finds what those before it opened.
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

/** Vitest ends on a signal without taking down what was set up. */
function stopOnSignal(engines: Engines): () => Promise<void> {
  const onSignal = (): void => void engines.close()
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  return async () => {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
    await engines.close()
  }
}
