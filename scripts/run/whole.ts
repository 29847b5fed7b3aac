import { helmProgram } from '../../tests/helm/src/config.ts'
import { provideChromium } from '../chromium.ts'
import { openRunEngines } from './engines.ts'
import { inLane } from './lanes.ts'
import { notRun, type Outcome } from './outcome.ts'
import { type Check, runCheck, runProject } from './parts.ts'

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

/** Nice values of what needs no engine: tests that may wait for processes and time-outs are not starved, while what only computes takes what others leave. */
const niceness = { waiting: 15, computing: 19 }

/**
 * Runs everything in two lanes, so that one computes while the other waits: one starts with the most CPU-bound tests, the other with the longest
 * waiting ones. Accessibility follows in the lane that is over first, the faults in the other one once both are. Checks and tests without engines use
 * the remaining CPU time. Runs at once on a machine share the lanes, in turns.
 */
export async function runWhole({ signal, strict, onLost }: RunOptions): Promise<Outcome[]> {
  const checking = runWithoutEngines(signal)
  // Before the engines, since both may use the system's package manager, which runs one at a time.
  const chromium = await provideChromium()
  const engines = await openRunEngines(strict, onLost)
  try {
    const options = { environment: engines.environment, signal, strict, chromium }
    const lanes = { first: runFirstLane(options), second: runSecondLane(options) }
    const free = Promise.race([lanes.first.then(() => 'first'), lanes.second.then(() => 'second')])
    // A single worker leaves the faults more than half of two processors: without that, crowds are starved, which looks like a fault that was not injected.
    const accessibility = free.then((lane) =>
      inLane(lane, signal, () => runInBrowser('accessibility', { ...options, workers: 1 })),
    )
    const both = await Promise.all([lanes.first, lanes.second])
    const left = (await free) === 'first' ? 'second' : 'first'
    const faults = await inLane(left, signal, () => runProject('faults', { live: true, signal }))
    return [...(await checking), ...both.flat(), faults, await accessibility, ...engines.outcomes, ...withoutHelm()]
  } finally {
    await engines.close()
  }
}

type LaneOptions = Pick<RunOptions, 'signal' | 'strict'> & {
  readonly environment: Readonly<Record<string, string>>
  /** Whether the browser tests' output is shown live; only one lane can do that. */
  readonly live?: boolean
  readonly workers?: number
  readonly chromium: string | undefined
}

/** The services individually, then all of them as a cluster. */
async function runFirstLane(options: LaneOptions): Promise<Outcome[]> {
  const run = (act: () => Promise<Outcome>): Promise<Outcome> => inLane('first', options.signal, act)
  const services = await run(() => runProject('services', options))
  const split = { E2E_SYSTEM: 'split' }
  return [services, await run(() => runInBrowser('e2e', options, split, 'e2e (split, two replicas)'))]
}

/** The engines, and the browser tests. */
async function runSecondLane(options: LaneOptions): Promise<Outcome[]> {
  const run = (act: () => Promise<Outcome>): Promise<Outcome> => inLane('second', options.signal, act)
  const contract = await run(() => runProject('contract', options))
  return [contract, await run(() => runInBrowser('e2e', { ...options, live: true }))]
}

/** The tests without engines and the static checks, sequentially. */
async function runWithoutEngines(signal: AbortSignal): Promise<Outcome[]> {
  const computing = { signal, niceness: niceness.computing }
  const run = (act: () => Promise<Outcome>): Promise<Outcome> => inLane('computing', signal, act)
  const outcomes = [await run(() => runProject('unit', { signal, niceness: niceness.waiting }))]
  for (const check of checks) outcomes.push(await run(() => runCheck(check, computing)))
  for (const project of ['architecture', 'helm']) outcomes.push(await run(() => runProject(project, computing)))
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
