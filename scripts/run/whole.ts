import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
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

/**
 * Nice values: what computes leaves the processor to what waits. The faults' crowds must not be starved, which looks like a fault that was not
 * injected, so their lane comes first.
 */
const niceness = { tests: 2, checks: 10 }
/** Milliseconds between two looks whether the faults need the machine to themselves any more. */
const lookMs = 250

/**
 * Runs everything in lanes, so that some compute while others wait: the clusters, one after the other; the browser tests, which take longest; the
 * services and the engines. Checks and tests without engines use the remaining CPU time. All wait for the one fault that needs a machine to itself.
 */
export async function runWhole({ signal, strict, onLost }: RunOptions): Promise<Outcome[]> {
  const chromium = await provideChromium()
  const engines = await openRunEngines(strict, onLost)
  try {
    const options = { environment: engines.environment, signal, strict, chromium }
    const { faults, aloneEnded } = runFaults(signal)
    await aloneEnded
    const checking = runWithoutEngines({ signal, niceness: niceness.checks })
    const lanes = await Promise.all([checking, runClusters(faults, options), runBrowser(options), runParts(options)])
    return [...lanes.flat(), ...engines.outcomes, ...withoutHelm()]
  } finally {
    await engines.close()
  }
}

/** The faults. `aloneEnded` resolves once other tests may run beside them. */
function runFaults(signal: AbortSignal): { readonly faults: Promise<Outcome>; readonly aloneEnded: Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'parley-faults-alone-'))
  const file = join(folder, 'ended')
  let over = false
  const faults = runProject('faults', { signal, environment: { FAULTS_ALONE_UNTIL: file } }).finally(() => {
    over = true
  })
  const wait = async (): Promise<void> => {
    while (!over && !existsSync(file)) await delay(lookMs)
    rmSync(folder, { recursive: true })
  }
  return { faults, aloneEnded: wait() }
}

type LaneOptions = Pick<RunOptions, 'signal' | 'strict'> & {
  readonly environment: Readonly<Record<string, string>>
  /** Whether the browser tests' output is shown live; only one lane can do that. */
  readonly live?: boolean
  readonly niceness?: number
  readonly chromium: string | undefined
}

/** All services as a cluster: with faults on its own engines, then with the browser. Two clusters at once would need much memory. */
async function runClusters(faults: Promise<Outcome>, options: LaneOptions): Promise<Outcome[]> {
  return [await faults, await runEndToEnd('e2e (split, two replicas)', options, { E2E_SYSTEM: 'split' })]
}

/** The browser tests on one process. */
async function runBrowser(options: LaneOptions): Promise<Outcome[]> {
  return [await runEndToEnd('e2e', { ...options, live: true, niceness: niceness.tests })]
}

/** One process under faults, the services individually, and the engines. */
async function runParts({ environment, signal }: LaneOptions): Promise<Outcome[]> {
  const chaos = await runProject('chaos', { signal })
  const options = { environment, signal, niceness: niceness.tests }
  return [chaos, await runProject('services', options), await runProject('contract', options)]
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

/** The browser tests. @param more variables that select the system */
async function runEndToEnd(
  name: string,
  { chromium, environment, ...options }: LaneOptions,
  more: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  if (chromium === undefined) return notRun(name, 'not run: no Chromium is available', options.strict)
  return runProject('e2e', { ...options, environment: { ...environment, CHROME_PATH: chromium, ...more } }, name)
}
