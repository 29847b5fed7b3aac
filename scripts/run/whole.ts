import { provideChromium } from '../chromium.ts'
import { openRunEngines } from './engines.ts'
import { notRun, type Outcome } from './outcome.ts'
import { type Check, runCheck, runProject } from './parts.ts'

/** Programs that look at the code alone. */
export const checks: readonly Check[] = [
  ['types', 'tsc', '-p', 'tsconfig.json'],
  ['types of the web application', 'tsc', '-p', 'web/tsconfig.json'],
  ['lint', 'biome', 'check', '--error-on-warnings', '.'],
  ['unused code', 'knip'],
]

/** How a run is ended, and what it may leave out. */
export interface RunOptions {
  readonly signal: AbortSignal
  /** What cannot be run has failed. */
  readonly strict: boolean
  /** Is told when an engine that all tests share has ended by itself. */
  readonly onLost: (reason: string) => void
}

/** Runs everything there is. On two processors, what computes goes beside what mostly waits. */
export async function runWhole({ signal, strict, onLost }: RunOptions): Promise<Outcome[]> {
  const checking = runChecks(signal)
  // Before the engines: both may ask the system's package manager, which serves one at a time.
  const chromium = await provideChromium()
  const engines = await openRunEngines(strict, onLost)
  try {
    const { environment } = engines
    const services = checking.then(() => runProject('services', { signal, environment }))
    const contract = await runProject('contract', { signal, environment })
    // Starts and hurts engines of its own, and waits for them more than it computes.
    const faults = runProject('faults', { signal })
    const ended = [...(await checking), contract, await services]
    const endToEnd = await runEndToEnd(chromium, { environment, signal, strict })
    return [...ended, await faults, ...endToEnd, ...engines.outcomes]
  } finally {
    await engines.close()
  }
}

/** What needs no engine, one after the other. */
async function runChecks(signal: AbortSignal): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const check of checks) outcomes.push(await runCheck(check, { signal }))
  for (const project of ['unit', 'architecture']) outcomes.push(await runProject(project, { signal }))
  return outcomes
}

type EndToEndOptions = Pick<RunOptions, 'signal' | 'strict'> & {
  readonly environment: Readonly<Record<string, string>>
}

/** What looks at the screens, all-in-one and as a cluster; alone, since a browser fills a processor. */
async function runEndToEnd(chromium: string | undefined, options: EndToEndOptions): Promise<Outcome[]> {
  const { signal, strict, environment } = options
  const [one, split] = ['e2e', 'e2e (split, two replicas)'] as const
  if (chromium === undefined) {
    return [one, split].map((name) => notRun(name, 'not run: no Chromium could be had', strict))
  }
  const run = (name: string, more: Readonly<Record<string, string>> = {}): Promise<Outcome> =>
    runProject('e2e', { live: true, signal, environment: { ...environment, CHROME_PATH: chromium, ...more } }, name)
  return [await run(one), await run(split, { E2E_SYSTEM: 'split' })]
}
