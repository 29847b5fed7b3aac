import { expect, it } from 'vitest'
import { type Outcome, summaryOf } from './outcome.ts'

const outcome = (name: string, more: Partial<Outcome> = {}): Outcome => ({
  ...{ name, passed: 1, failed: 0, skipped: 0 },
  ...more,
})
const lastLine = (text: string): string | undefined => text.split('\n').at(-1)

it('the last line of a run counts all tests, and mentions skipped ones only if there are any', () => {
  expect(lastLine(summaryOf([outcome('unit'), outcome('services', { passed: 7, failed: 2 })], 1))).toBe(
    '8 passed, 2 failed',
  )
  expect(lastLine(summaryOf([outcome('contract', { skipped: 3 })], 1))).toBe('1 passed, 0 failed, 3 skipped')
})

it('the summary of a run lists the five slowest files of all parts, slowest first, and the total time', () => {
  const files = [3, 9, 1, 7].map((seconds) => ({ file: `${seconds}.test.ts`, seconds }))
  const text = summaryOf([outcome('unit', { files }), outcome('e2e', { files: files.slice(0, 2) })], 125)
  expect(text).toContain(
    [
      'Slowest files:',
      '  9 s  unit: 9.test.ts',
      '  9 s  e2e: 9.test.ts',
      '  7 s  unit: 7.test.ts',
      '  3 s  unit: 3.test.ts',
      '  3 s  e2e: 3.test.ts',
      'Total: 2 min 5 s',
    ].join('\n'),
  )
})

it('the summary of a run shows why a test had to be retried', () => {
  const troubled = [{ name: 'a test', file: 'a.test.ts', passed: true, reason: 'starved' }]
  expect(summaryOf([outcome('unit', { troubled })], 1)).toContain(
    '? passed on retry: unit: a.test.ts: a test\n    starved',
  )
})
