import { provideChromium } from './chromium.ts'
import { readScriptConfig } from './config.ts'
import { openRunEngines } from './run/engines.ts'
import { notRun, type Outcome, summaryOf } from './run/outcome.ts'
import { type Check, runCheck, runProject } from './run/parts.ts'

/** `npm test`: everything there is. A check counts as one test; a project of Vitest's counts its own. */
const checks: readonly Check[] = [
  ['types', 'tsc', '-p', 'tsconfig.json'],
  ['types of the web application', 'tsc', '-p', 'web/tsconfig.json'],
  ['lint', 'biome', 'check', '--error-on-warnings', '.'],
  ['unused code', 'knip'],
]

const { strict } = readScriptConfig()
const stopping = new AbortController()
const { signal } = stopping
// As often as they come: npm passes Ctrl-C on to those who have had it already.
process.on('SIGINT', () => stopping.abort()).on('SIGTERM', () => stopping.abort())

const lost: Outcome[] = []
/** Every test on a dead engine would fail by its timeout: better to end at once. */
const onLost = (reason: string): void => {
  console.error(`\n${reason}`)
  lost.push({ name: 'engines', passed: 0, failed: 1, skipped: 0, note: reason.split('\n')[0] ?? '' })
  stopping.abort()
}

/** What needs no engine, one after the other. */
async function runChecks(): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const check of checks) outcomes.push(await runCheck(check, { signal }))
  for (const project of ['unit', 'architecture']) outcomes.push(await runProject(project, { signal }))
  return outcomes
}

/** What looks at the screens, all-in-one and as a cluster; alone, since it is watched by the clock of a user. */
async function runEndToEnd(chromium: string | undefined, environment: Record<string, string>): Promise<Outcome[]> {
  const [one, split] = ['e2e', 'e2e (split, two replicas)'] as const
  if (chromium === undefined)
    return [one, split].map((name) => notRun(name, 'not run: no Chromium could be had', strict))
  const options = { live: true, signal, environment: { ...environment, CHROME_PATH: chromium } }
  return [
    await runProject('e2e', options, one),
    await runProject('e2e', { ...options, environment: { ...options.environment, E2E_SYSTEM: 'split' } }, split),
  ]
}

/** What needs engines, on one of each. */
async function runOnEngines(checking: Promise<Outcome[]>): Promise<Outcome[]> {
  // Before the engines: both may ask the system's package manager, which serves one at a time.
  const chromium = await provideChromium()
  const engines = await openRunEngines(strict, onLost)
  try {
    const { environment } = engines
    // Contracts mostly wait for engines; beside them there is room for one more.
    const services = checking.then(() => runProject('services', { signal, environment }))
    const contract = await runProject('contract', { signal, environment })
    return [contract, await services, ...(await runEndToEnd(chromium, environment)), ...engines.outcomes]
  } finally {
    await engines.close()
  }
}

// Two processors: what computes goes beside what mostly waits.
const checking = runChecks()
const onEngines = await runOnEngines(checking)
// Once the shared engines are gone, since it starts and hurts its own.
const faults = await runProject('faults', { live: true, signal })
const outcomes = [...(await checking), ...onEngines, faults, ...lost]
console.log(summaryOf(outcomes))
process.exitCode = outcomes.some(({ failed }) => failed > 0) || signal.aborted ? 1 : 0
