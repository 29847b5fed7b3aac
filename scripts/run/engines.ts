import { type Engines, engineNames, openEngines, variables } from '@parley/engines'
import { scratchFolder } from '@parley/engines/scratch'
import { notRun, type Outcome } from './outcome.ts'

/** The engines of the whole run. */
export interface RunEngines {
  /** The variables by which the tests' processes find them. */
  readonly environment: Readonly<Record<string, string>>
  /** Those that could not be had. */
  readonly outcomes: readonly Outcome[]
  close(): Promise<void>
}

/**
 * Opens every engine once, for all projects that need one, and says where each came from.
 * @param onLost is called when one ends by itself, with the reason
 */
export async function openRunEngines(strict: boolean, onLost: (reason: string) => void): Promise<RunEngines> {
  const engines = await openEngines(engineNames, scratchFolder())
  engines.onLost(onLost)
  console.log(`\n── engines\n${describe(engines)}`)
  const missing = engines.notRun.map(({ name }) => name)
  return {
    environment: {
      ...Object.fromEntries(
        Object.entries(engines.urls).map(([name, url]) => [variables[name as keyof typeof variables], url]),
      ),
      ...(missing.length > 0 && { TEST_WITHOUT: missing.join(',') }),
    },
    outcomes: engines.notRun.map(({ name, reason }) => notRun(`not run: ${name}`, reason, strict)),
    close: () => engines.close(),
  }
}

function describe({ sources, notRun: missing }: Engines): string {
  const there = Object.entries(sources).map(([name, way]) => `${name}: ${way}`)
  return [...there, ...missing.map(({ name, reason }) => `not run: ${name}: ${reason}`)].join('\n')
}
