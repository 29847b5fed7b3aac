import { helmProgram } from '../../tests/helm/src/config.ts'
import { provideChromium } from '../chromium.ts'
import { openRunEngines } from './engines.ts'
import { notRun, type Outcome } from './outcome.ts'
import { type Check, runCheck, runProject } from './parts.ts'
import type { ProgramOptions } from './program.ts'

/** Several checkers, each of which learns most types anew, are sooner done where nothing else runs; one takes less than half of the processor's time. */
const typeCheck = ['tsc', '--checkers', '1', '-p'] as const

/** Programs that look at the code alone. */
export const checks: readonly Check[] = [
  ['types', ...typeCheck, 'tsconfig.json'],
  ['types of the web application', ...typeCheck, 'web/tsconfig.json'],
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

/** Of what computes while other tests wait, which do not notice it. */
const niceness = 15

/**
 * Runs everything there is, in two lanes, so that one computes while the other one waits: what computes most is first in one and what waits most in
 * the other. What needs no engine takes the time that both leave.
 */
export async function runWhole({ signal, strict, onLost }: RunOptions): Promise<Outcome[]> {
  const checking = runWithoutEngines({ signal, niceness })
  // Before the engines: both may ask the system's package manager, which serves one at a time.
  const chromium = await provideChromium()
  const engines = await openRunEngines(strict, onLost)
  try {
    const options = { environment: engines.environment, signal, strict, chromium }
    const lanes = await Promise.all([checking, runFirstLane(options), runSecondLane(options)])
    // Alone: beside others its crowds are starved, which looks like a fault that was not made.
    const faults = await runProject('faults', { live: true, signal })
    return [...lanes.flat(), faults, ...engines.outcomes, ...withoutHelm()]
  } finally {
    await engines.close()
  }
}

type LaneOptions = Pick<RunOptions, 'signal' | 'strict'> & {
  readonly environment: Readonly<Record<string, string>>
  /** Whether the browser's tests are shown as they come; only one lane's can be. */
  readonly live?: boolean
  readonly chromium: string | undefined
}

/** The services by themselves, and all of them as a cluster. */
async function runFirstLane(options: LaneOptions): Promise<Outcome[]> {
  const services = await runProject('services', options)
  return [services, await runEndToEnd('e2e (split, two replicas)', options, { E2E_SYSTEM: 'split' })]
}

/** The engines, and everything that is seen on a screen. */
async function runSecondLane(options: LaneOptions): Promise<Outcome[]> {
  const contract = await runProject('contract', options)
  return [contract, await runEndToEnd('e2e', { ...options, live: true })]
}

/** The checks of the code and the tests that need no engine, one after the other. */
async function runWithoutEngines(options: ProgramOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const check of checks) outcomes.push(await runCheck(check, options))
  for (const project of ['unit', 'architecture', 'helm']) outcomes.push(await runProject(project, options))
  return outcomes
}

/** Without the program most tests of the chart skip themselves. It is a tool of operators, no engine of the product: a strict run goes on without it. */
const withoutHelm = (): Outcome[] =>
  helmProgram() === undefined
    ? [notRun('not run: helm', 'the chart was not rendered: there is no `helm` in PATH, nor in HELM_BIN', false)]
    : []

/** What looks at the screens. @param more variables, which choose the system */
async function runEndToEnd(
  name: string,
  { chromium, environment, ...options }: LaneOptions,
  more: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  if (chromium === undefined) return notRun(name, 'not run: no Chromium could be had', options.strict)
  return runProject('e2e', { ...options, environment: { ...environment, CHROME_PATH: chromium, ...more } }, name)
}
