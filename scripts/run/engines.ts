import { type Engines, engineNames, openEngines, variables } from '@parley/engines'
import { providePythonClients } from '@parley/engines/python-clients'
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
 * Opens every engine once, for all projects that need one, and says where each came from; provides the clients for Python as well, without which a
 * strict run goes on: they are tools of programs, no engine of the product.
 * @param onLost is called when one ends by itself, with the reason
 */
export async function openRunEngines(strict: boolean, onLost: (reason: string) => void): Promise<RunEngines> {
  const [engines, python] = await Promise.all([openEngines(engineNames, scratchFolder()), whyNoPython()])
  engines.onLost(onLost)
  const withoutPython = python === undefined ? [] : [{ name: 'python', reason: python }]
  console.log(`\n── engines\n${describe(engines, withoutPython)}`)
  const missing = [...engines.notRun, ...withoutPython].map(({ name }) => name)
  return {
    environment: {
      ...Object.fromEntries(
        Object.entries(engines.urls).map(([name, url]) => [variables[name as keyof typeof variables], url]),
      ),
      ...(missing.length > 0 && { TEST_WITHOUT: missing.join(',') }),
    },
    outcomes: [
      ...engines.notRun.map(({ name, reason }) => notRun(`not run: ${name}`, reason, strict)),
      ...withoutPython.map(({ name, reason }) => notRun(`not run: ${name}`, reason, false)),
    ],
    close: () => engines.close(),
  }
}

/** The reason why the clients for Python cannot be had; undefined where they can. */
const whyNoPython = (): Promise<string | undefined> =>
  providePythonClients().then(
    () => undefined,
    (error: Error) => error.message,
  )

function describe({ sources, notRun: missing }: Engines, others: readonly { name: string; reason: string }[]): string {
  const there = Object.entries(sources).map(([name, way]) => `${name}: ${way}`)
  return [...there, ...[...missing, ...others].map(({ name, reason }) => `not run: ${name}: ${reason}`)].join('\n')
}
