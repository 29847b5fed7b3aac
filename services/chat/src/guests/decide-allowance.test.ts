import { describe, expect, it } from 'vitest'
import { type AllowanceCommand, type AllowanceWindow, decideAllowance } from './decide-allowance.ts'

const second = (seconds: number): Date => new Date(Date.UTC(2030, 0, 1) + seconds * 1000)
const limit = { messages: 2, windowMs: 100_000 }
const take = (generationId: string, parts: { at?: number; messages?: number } = {}): AllowanceCommand => ({
  ...{ type: 'take', generationId, now: second(parts.at ?? 0) },
  limit: { ...limit, messages: parts.messages ?? limit.messages },
})
const settle = (generationId: string, kept: boolean): AllowanceCommand => ({ type: 'settle', generationId, kept })
const window = (used: number, pending: readonly string[], at = 0): AllowanceWindow => ({
  ...{ windowStart: second(at), used, pending },
})

interface Case {
  readonly given: AllowanceWindow | undefined
  readonly when: AllowanceCommand
  readonly granted: boolean
  readonly next?: AllowanceWindow
}

const cases: readonly (Case & { readonly title: string })[] = [
  {
    title: 'the first message begins a window',
    ...{ given: undefined, when: take('a', { at: 5 }), granted: true, next: window(1, ['a'], 5) },
  },
  {
    title: 'the next message counts in the same window',
    ...{ given: window(1, ['a']), when: take('b', { at: 99 }), granted: true, next: window(2, ['a', 'b']) },
  },
  {
    title: 'a message above the limit is refused, and nothing is taken',
    ...{ given: window(2, ['a', 'b']), when: take('c'), granted: false },
  },
  {
    title: 'a limit of no messages refuses the first one',
    ...{ given: undefined, when: take('a', { messages: 0 }), granted: false },
  },
  {
    title: 'the message of a generation that has one is granted again without being taken, above a lowered limit too',
    ...{ given: window(2, ['a', 'b']), when: take('a', { messages: 1 }), granted: true },
  },
  {
    title: 'a window is over when its length has passed: the message begins a new one',
    ...{ given: window(2, ['a', 'b']), when: take('a', { at: 100 }), granted: true, next: window(1, ['a'], 100) },
  },
  {
    title: 'a message that is not kept is given back',
    ...{ given: window(2, ['a', 'b']), when: settle('a', false), granted: false, next: window(1, ['b']) },
  },
  {
    title: 'a message that is kept stays used',
    ...{ given: window(2, ['a', 'b']), when: settle('a', true), granted: true, next: window(2, ['b']) },
  },
  {
    title: 'a message that was settled, or was taken in a window that another followed, is not settled again',
    ...{ given: window(1, ['b']), when: settle('a', false), granted: false },
  },
  {
    title: 'a bucket that is gone settles nothing',
    ...{ given: undefined, when: settle('a', false), granted: false },
  },
]

describe('an allowance of guests', () => {
  it.each(cases)('$title', ({ given, when, granted, next }) => {
    expect(decideAllowance(given, when)).toEqual({ granted, ...(next && { next }) })
  })
})
