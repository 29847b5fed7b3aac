import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { provideChromium } from './chromium.ts'

/** Everything `npm test` runs, in order. A check counts as one test; a Vitest project counts its own. */
const checks: ReadonlyArray<readonly [name: string, command: string, args: readonly string[]]> = [
  ['types', 'tsc', ['-p', 'tsconfig.json']],
  ['types of the web application', 'tsc', ['-p', 'web/tsconfig.json']],
  ['lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['unused code', 'knip', []],
]
const projects = ['unit', 'architecture', 'contract', 'services', 'e2e'] as const

interface Outcome {
  readonly name: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly note?: string
}

const root = join(import.meta.dirname, '..')
const reports = mkdtempSync(join(tmpdir(), 'parley-test-'))

function run(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = process.env): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(join(root, 'node_modules/.bin', command), args, {
      cwd: root,
      stdio: 'inherit',
      env: environment,
    })
    const pass = (signal: NodeJS.Signals) => child.kill(signal)
    process.on('SIGINT', pass).on('SIGTERM', pass)
    child.on('error', () => resolve(1))
    child.on('exit', (code) => {
      process.off('SIGINT', pass).off('SIGTERM', pass)
      resolve(code ?? 1)
    })
  })
}

async function runCheck([name, command, args]: (typeof checks)[number]): Promise<Outcome> {
  console.log(`\n── ${name}`)
  const passed = (await run(command, args)) === 0
  return { name, passed: Number(passed), failed: Number(!passed), skipped: 0 }
}

async function runProject(project: string, environment: NodeJS.ProcessEnv): Promise<Outcome> {
  console.log(`\n── ${project}`)
  const report = join(reports, `${project}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await run('vitest', ['run', '--project', project, ...reporters], environment)
  const counts = readCounts(report)
  // A run that ends badly without a failed test (a crash, an unhandled error, no tests) has failed all the same.
  const failed = Math.max(counts.failed, code === 0 && counts.passed > 0 ? 0 : 1)
  return { name: project, ...counts, failed }
}

function readCounts(report: string): Pick<Outcome, 'passed' | 'failed' | 'skipped'> {
  try {
    const json = JSON.parse(readFileSync(report, 'utf8'))
    return {
      passed: json.numPassedTests,
      failed: json.numFailedTests,
      skipped: json.numPendingTests + json.numTodoTests,
    }
  } catch {
    // Without a report the run did not come to its end.
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

async function runBrowserTests(): Promise<Outcome> {
  const chromium = await provideChromium()
  if (chromium !== undefined) return runProject('e2e', { ...process.env, CHROME_PATH: chromium })
  const strict = process.env.CI === 'true'
  return {
    name: 'e2e',
    passed: 0,
    failed: Number(strict),
    skipped: Number(!strict),
    note: 'not run: no Chromium could be had',
  }
}

const outcomes: Outcome[] = []
for (const check of checks) outcomes.push(await runCheck(check))
for (const project of projects) {
  outcomes.push(project === 'e2e' ? await runBrowserTests() : await runProject(project, process.env))
}
rmSync(reports, { recursive: true, force: true })

console.log('')
for (const { name, passed, failed, skipped, note } of outcomes) {
  console.log(
    `${failed === 0 ? '✓' : '✗'} ${name}: ${note ?? `${passed} passed, ${failed} failed, ${skipped} skipped`}`,
  )
}
const sum = (count: 'passed' | 'failed' | 'skipped'): number => outcomes.reduce((total, one) => total + one[count], 0)
const skipped = sum('skipped') === 0 ? '' : `, ${sum('skipped')} skipped`
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`)
process.exitCode = sum('failed') === 0 ? 0 : 1
