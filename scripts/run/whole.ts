import { helmProgram } from '../../tests/helm/src/config.ts'
import { provideChromium } from '../chromium.ts'
import { openRunEngines } from './engines.ts'
import { notRun, type Outcome } from './outcome.ts'
import { type Check, runCheck, runProject } from './parts.ts'
import type { ProgramOptions } from './program.ts'

/** A single checker needs less than half the CPU time of several, which repeat most of the work and are only faster on an idle machine. */
const typeCheck = ['tsc', '--checkers', '1', '-p'] as const

/** Static checks of the code. */
export const checks: readonly Check[] = [
  ['types', ...typeCheck, 'tsconfig.json'],
  ['types of the web application', ...typeCheck, 'web/tsconfig.json'],
  ['lint', 'biome', 'check', '--error-on-warnings', '.'],
  ['unused code', 'knip'],
]

/** Options of a run. */
export interface RunOptions {
  readonly signal: AbortSignal
  /** Whether tests that cannot run count as failed. */
  readonly strict: boolean
  /** Called when a shared engine has crashed. */
  readonly onLost: (reason: string) => void
}

/** The nice value of CPU-bound work, so that it does not slow down tests that wait. */
const niceness = 15

/**
 * Runs everything in two lanes, so that one computes while the other waits: one starts with the most CPU-bound tests, the other with the longest
 * waiting ones. Checks and tests without engines use the remaining CPU time.
 */
export async function runWhole({ signal, strict, onLost }: RunOptions): Promise<Outcome[]> {
  const checking = runWithoutEngines({ signal, niceness })
  // Before the engines, since both may use the system's package manager, which runs one at a time.
  const chromium = await provideChromium()
  const engines = await openRunEngines(strict, onLost)
  try {
    const options = { environment: engines.environment, signal, strict, chromium }
    const lanes = await Promise.all([checking, runFirstLane(options), runSecondLane(options)])
    // Run alone: next to other tests its crowds are starved, which looks like a fault that was not injected.
    const faults = await runProject('faults', { live: true, signal })
    return [...lanes.flat(), faults, ...engines.outcomes, ...withoutHelm()]
  } finally {
    await engines.close()
  }
}

type LaneOptions = Pick<RunOptions, 'signal' | 'strict'> & {
  readonly environment: Readonly<Record<string, string>>
  /** Whether the browser tests' output is shown live; only one lane can do that. */
  readonly live?: boolean
  readonly chromium: string | undefined
}

/** The services individually, all of them as a cluster, and the accessibility of every screen: without that the second lane would end long after it. */
async function runFirstLane(options: LaneOptions): Promise<Outcome[]> {
  const services = await runProject('services', options)
  const split = await runInBrowser('e2e', options, { E2E_SYSTEM: 'split' }, 'e2e (split, two replicas)')
  return [services, split, await runInBrowser('accessibility', options)]
}

/** The engines, and the browser tests. */
async function runSecondLane(options: LaneOptions): Promise<Outcome[]> {
  const contract = await runProject('contract', options)
  return [contract, await runInBrowser('e2e', { ...options, live: true })]
}

/** The static checks and the tests without engines, sequentially. */
async function runWithoutEngines(options: ProgramOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const check of checks) outcomes.push(await runCheck(check, options))
  for (const project of ['unit', 'architecture', 'helm']) outcomes.push(await runProject(project, options))
  return outcomes
}

/** Without helm most tests of the chart are skipped. A strict run does not require it, because it is not an engine of the product. */
const withoutHelm = (): Outcome[] =>
  helmProgram() === undefined
    ? [notRun('not run: helm', 'the chart was not rendered: there is no `helm` in PATH, nor in HELM_BIN', false)]
    : []

/** A project of browser tests. @param more variables that select the system @param name for display */
async function runInBrowser(
  project: string,
  { chromium, environment, ...options }: LaneOptions,
  more: Readonly<Record<string, string>> = {},
  name = project,
): Promise<Outcome> {
  if (chromium === undefined) return notRun(name, 'not run: no Chromium is available', options.strict)
  return runProject(project, { ...options, environment: { ...environment, CHROME_PATH: chromium, ...more } }, name)
}
