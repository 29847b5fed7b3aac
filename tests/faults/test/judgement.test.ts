import type { Receipt } from '@parley/contracts'
import { expect, test } from 'vitest'
import type { Booked } from '../src/load/books.ts'
import { type Asked, type Judged, type Seen, violationsOf } from '../src/load/judgement.ts'
import type { Completion } from '../src/load/key-request.ts'

/** A complete answer to one request by key, charged once. */
interface Parts {
  readonly booked?: Partial<Booked>
  /** The charge on the receipt. */
  readonly charged?: number
  readonly answers?: readonly Partial<Asked['answers'][number]>[]
  readonly calls?: number
  readonly wrongAccounts?: readonly string[]
}

const seen = ({ booked, charged = 1, answers = [{}], calls = 1, wrongAccounts = [] }: Parts = {}): Seen => {
  const generation: Booked = {
    ...{ id: 'g1', state: 'captured', source: 'key', outcome: 'complete', captured: 1, captures: 1 },
    ...booked,
  }
  const answer: Completion = { generationId: 'g1', text: 'All of it', ending: 'done', failures: [] }
  return {
    asked: [{ said: 'Hello', source: 'key', answers: answers.map((parts) => ({ ...answer, ...parts })) }],
    books: {
      generations: new Map([['g1', generation]]),
      receipts: new Map([['g1', { generationId: 'g1', charged } as Receipt]]),
      wrongAccounts,
    },
    calls: () => calls,
    told: () => 'All of it',
  }
}
const judged: Judged = { retried: true, longestOverdue: 5 }

test('a load with complete answers, each charged once, has no violation', () => {
  expect(violationsOf(seen(), judged)).toEqual([])
  expect(violationsOf(seen({ answers: [{}, {}] }), judged)).toEqual([])
})

test.for<[what: string, parts: Parts, judged: Judged]>([
  ['does not add up to its balance', { wrongAccounts: ['ann'] }, judged],
  ['was charged 2 times', { booked: { captures: 2 } }, judged],
  ['the receipt of g1 says 0, the ledger 1', { charged: 0 }, judged],
  ['0 was charged, 1 was due', { booked: { captured: 0, captures: 0 }, charged: 0 }, judged],
  ['1 was charged, 0 was due', { answers: [{ text: '', ending: 'error' }] }, judged],
  ['nothing was charged, 1 was due', { answers: [{ generationId: 'g2' }] }, judged],
  ['its end came without all of it', { answers: [{ text: 'All' }] }, judged],
  ['one answer was told differently', { answers: [{}, { text: 'All', ending: 'error' }] }, judged],
  ['it was answered and charged more than once', { answers: [{}, { generationId: 'g2' }] }, judged],
  ['the provider was not asked for it', { calls: 0 }, judged],
  ['more was charged for than the provider was called for', { calls: 0 }, judged],
  ['2 requests by key were charged, 1 were answered', { booked: { captured: 2 }, charged: 2 }, judged],
  ['a hold was 90 s over its limit', {}, { ...judged, longestOverdue: 90 }],
])('a load is reported in which %s', ([what, parts, how]) => {
  expect(violationsOf(seen(parts), how)).toContainEqual(expect.stringContaining(what))
})
