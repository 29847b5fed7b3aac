import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { type FileDuration, notRun, type Outcome, type TroubledTest } from './outcome.ts'
import { type ProgramOptions, runProgram } from './program.ts'

/** A program whose exit code counts as one test. */
export type Check = readonly [name: string, command: string, ...args: string[]]

/** Runs a check. */
export async function runCheck([name, command, ...args]: Check, options: ProgramOptions): Promise<Outcome> {
  return timed(name, options, async () => {
    const { code, output } = await runProgram(command, args, options)
    show(name, output)
    return { passed: Number(code === 0), failed: Number(code !== 0), skipped: 0 }
  })
}

/** How a Vitest project is run. */
interface ProjectOptions extends ProgramOptions {
  /** Processes for its test files; by default as many as its configuration says. */
  readonly workers?: number
}

/** Runs a Vitest project and counts its tests. @param name for display */
export const runProject = (
  project: string,
  { workers, ...options }: ProjectOptions,
  name = project,
): Promise<Outcome> => {
  const limited = workers === undefined ? [] : [`--maxWorkers=${workers}`]
  return runVitest(name, ['run', '--project', project, ...limited], options)
}

/** Runs the projects' tests that import any of these files, directly or transitively. Finding none is not a failure. */
export const runRelated = (projects: readonly string[], sources: readonly string[], options: ProgramOptions) => {
  const chosen = projects.flatMap((project) => ['--project', project])
  return runVitest(projects.join(', '), ['related', '--run', '--passWithNoTests', ...chosen, ...sources], options)
}

/** Runs Vitest and counts its tests. @param args select the tests */
export async function runVitest(name: string, args: readonly string[], options: ProgramOptions): Promise<Outcome> {
  return timed(name, options, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-report-'))
    const report = join(folder, 'report.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    if (options.live === true) show(name, '')
    const { code, output } = await runProgram('vitest', [...args, ...reporters], options)
    if (options.live !== true) show(name, output)
    const counts = readCounts(report)
    rmSync(folder, { recursive: true })
    const mayBeNone = args.includes('--passWithNoTests')
    // A run can fail without a failed test: by a crash, an unhandled error, or no tests.
    const ended = code === 0 && (mayBeNone || counts.passed > 0)
    return { ...counts, failed: Math.max(counts.failed, ended ? 0 : 1) }
  })
}

type Counts = Pick<Outcome, 'passed' | 'failed' | 'skipped' | 'troubled' | 'files'>

async function timed(name: string, { signal }: ProgramOptions, run: () => Promise<Counts>): Promise<Outcome> {
  if (signal.aborted) return notRun(name, 'not run: the whole run was ended', true)
  const start = performance.now()
  const counts = await run()
  return { name, ...counts, seconds: Math.round((performance.now() - start) / 1_000) }
}

const show = (name: string, output: string): void => console.log(`\n── ${name}\n${output.trimEnd()}`)

function readCounts(report: string): Counts {
  try {
    const json = JSON.parse(readFileSync(report, 'utf8'))
    return {
      passed: json.numPassedTests,
      failed: json.numFailedTests,
      skipped: json.numPendingTests + json.numTodoTests,
      troubled: json.testResults.flatMap(troubledOf),
      files: json.testResults.map(durationOf),
    }
  } catch {
    // Without a report the run has crashed.
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

/** A test file in Vitest's report. */
interface FileReport {
  readonly name: string
  readonly message: string
  /** Milliseconds since the epoch. */
  readonly startTime: number
  readonly endTime: number
  readonly assertionResults: readonly {
    readonly fullName: string
    readonly status: string
    readonly failureMessages: readonly string[]
  }[]
}

const durationOf = ({ name, startTime, endTime }: FileReport): FileDuration => ({
  file: relative(process.cwd(), name),
  seconds: Math.round((endTime - startTime) / 1_000),
})

/** Lines of a failure that are repeated at the end. */
const shownLines = 8

function troubledOf({ name, message, assertionResults }: FileReport): TroubledTest[] {
  const file = relative(process.cwd(), name)
  const shorten = (reason: string): string => reason.split('\n').slice(0, shownLines).join('\n')
  const tests = assertionResults
    .filter(({ failureMessages }) => failureMessages.length > 0)
    .map(({ fullName, status, failureMessages: [reason = ''] }) => {
      return { name: fullName, file, passed: status === 'passed', reason: shorten(reason) }
    })
  return message === '' ? tests : [...tests, { name: 'the file itself', file, passed: false, reason: shorten(message) }]
}
