/** The outcome of one part of the run. */
export interface Outcome {
  readonly name: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Why there are no counts. */
  readonly note?: string
  readonly seconds?: number
  /** Tests that failed, or passed only on retry. */
  readonly troubled?: readonly TroubledTest[]
  /** Durations of test files. */
  readonly files?: readonly FileDuration[]
}

/** The duration of a test file. */
export interface FileDuration {
  readonly file: string
  readonly seconds: number
}

/** A test that failed or was retried. */
export interface TroubledTest {
  readonly name: string
  readonly file: string
  /** Whether it passed on retry. */
  readonly passed: boolean
  /** The failure of its first attempt. */
  readonly reason: string
}

/** The outcome of a part that could not run: skipped, or failed in a strict run. */
export const notRun = (name: string, why: string, strict: boolean): Outcome => ({
  name,
  passed: 0,
  failed: Number(strict),
  skipped: Number(!strict),
  note: why,
})

/** The number of slowest files to list. */
const namedSlowest = 5

/**
 * Failures and retries, then a line per part, the slowest files, the total time, and the totals as the last line:
 * `N passed, N failed`, with `, N skipped` when there are any.
 * @param seconds of the whole run
 */
export function summaryOf(outcomes: readonly Outcome[], seconds: number): string {
  const lines = outcomes.map(({ name, passed, failed, skipped, note, seconds }) => {
    const counts = note ?? `${passed} passed, ${failed} failed, ${skipped} skipped`
    return `${failed === 0 ? '✓' : '✗'} ${name}: ${counts}${seconds === undefined ? '' : ` (${seconds} s)`}`
  })
  const sum = (count: 'passed' | 'failed' | 'skipped'): number =>
    outcomes.reduce((total, outcome) => total + outcome[count], 0)
  const skipped = sum('skipped') === 0 ? '' : `, ${sum('skipped')} skipped`
  const troubles = outcomes.flatMap(({ name, troubled = [] }) => troubled.map((test) => describe(name, test)))
  const total = `Total: ${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
  const shown = [...troubles, ...lines, ...slowestOf(outcomes), total].join('\n')
  return `\n${shown}\n\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`
}

function slowestOf(outcomes: readonly Outcome[]): string[] {
  const all = outcomes.flatMap(({ name, files = [] }) => files.map((file) => ({ ...file, part: name })))
  const slowest = all.toSorted((a, b) => b.seconds - a.seconds).slice(0, namedSlowest)
  if (slowest.length === 0) return []
  return ['Slowest files:', ...slowest.map(({ part, file, seconds }) => `  ${seconds} s  ${part}: ${file}`)]
}

const describe = (part: string, { name, file, passed, reason }: TroubledTest): string =>
  `${passed ? '? passed on retry' : '✗ failed'}: ${part}: ${file}: ${name}\n${reason.replace(/^/gm, '    ')}\n`
