/** How one part of the run ended. */
export interface Outcome {
  readonly name: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Why there are no counts to tell. */
  readonly note?: string
  readonly seconds?: number
  /** Tests that failed, or passed at their second try only. */
  readonly troubled?: readonly TroubledTest[]
}

/** A test that did not simply pass. */
export interface TroubledTest {
  readonly name: string
  readonly file: string
  /** It passed at its second try. */
  readonly passed: boolean
  /** What its first try failed with. */
  readonly reason: string
}

/** A part that could not be run: skipped, or failed when nothing may be missing. */
export const notRun = (name: string, why: string, strict: boolean): Outcome => ({
  name,
  passed: 0,
  failed: Number(strict),
  skipped: Number(!strict),
  note: why,
})

/** What went wrong, then a line for each part and the sum as the last one: `N passed, N failed`, with `, N skipped` when there are any. */
export function summaryOf(outcomes: readonly Outcome[]): string {
  const lines = outcomes.map(({ name, passed, failed, skipped, note, seconds }) => {
    const counts = note ?? `${passed} passed, ${failed} failed, ${skipped} skipped`
    return `${failed === 0 ? '✓' : '✗'} ${name}: ${counts}${seconds === undefined ? '' : ` (${seconds} s)`}`
  })
  const sum = (count: 'passed' | 'failed' | 'skipped'): number =>
    outcomes.reduce((total, outcome) => total + outcome[count], 0)
  const skipped = sum('skipped') === 0 ? '' : `, ${sum('skipped')} skipped`
  const troubles = outcomes.flatMap(({ name, troubled = [] }) => troubled.map((test) => describe(name, test)))
  return `\n${[...troubles, ...lines].join('\n')}\n\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`
}

const describe = (part: string, { name, file, passed, reason }: TroubledTest): string =>
  `${passed ? '? passed at its second try' : '✗ failed'}: ${part}: ${file}: ${name}\n${reason.replace(/^/gm, '    ')}\n`
