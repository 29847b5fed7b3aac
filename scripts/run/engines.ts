import { type Engines, engineNames, openEngines, variables } from '@parley/engines'
import { providePythonClients } from '@parley/engines/python-clients'
import { scratchFolder } from '@parley/engines/scratch'
import { notRun } from './outcome.ts'

/**
 * Opens every engine once for all projects, and prints their sources. Also provides the Python clients; a strict run does not require them, because
 * they are not an engine of the product.
 * @param onLost called with the reason when an engine crashes
 */
export async function openRunEngines(strict: boolean, onLost: (reason: string) => void) {
  const [engines, python] = await Promise.all([openEngines(engineNames, scratchFolder()), whyNoPython()])
  engines.onLost(onLost)
  const withoutPython = python === undefined ? [] : [{ name: 'python', reason: python }]
  console.log(`\n── engines\n${describe(engines, withoutPython)}`)
  const missing = [...engines.notRun, ...withoutPython].map(({ name }) => name)
  return {
    /** The variables with their URLs, for the processes of tests. */
    environment: {
      ...Object.fromEntries(
        Object.entries(engines.urls).map(([name, url]) => [variables[name as keyof typeof variables], url]),
      ),
      ...(missing.length > 0 && { TEST_WITHOUT: missing.join(',') }),
    },
    /** Outcomes for unavailable engines. */
    outcomes: [
      ...engines.notRun.map(({ name, reason }) => notRun(`not run: ${name}`, reason, strict)),
      ...withoutPython.map(({ name, reason }) => notRun(`not run: ${name}`, reason, false)),
    ],
    close: (): Promise<void> => engines.close(),
  }
}

/** The reason why the Python clients are unavailable; undefined if they are available. */
const whyNoPython = (): Promise<string | undefined> =>
  providePythonClients().then(
    () => undefined,
    (error: Error) => error.message,
  )

function describe({ sources, notRun: missing }: Engines, others: readonly { name: string; reason: string }[]): string {
  const there = Object.entries(sources).map(([name, way]) => `${name}: ${way}`)
  return [...there, ...[...missing, ...others].map(({ name, reason }) => `not run: ${name}: ${reason}`)].join('\n')
}
