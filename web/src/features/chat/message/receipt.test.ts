import type { Receipt } from '@parley/contracts'
import { expect, it } from 'vitest'
import { givenEnglish } from '../../../testing/given-english.ts'
import type { ThreadMessage } from '../thread/state/thread-message.ts'
import { isFreeEmptyAnswer, receiptOf, sumReceipts } from './receipt.ts'

const i18n = givenEnglish()
const answer = (fields: Partial<ThreadMessage>) =>
  ({ credits: 0, usage: null, durationMs: 900, content: '', attachments: [], ...fields }) as ThreadMessage
const lineOf = (fields: Partial<ThreadMessage>, guest = false) =>
  receiptOf((id, values) => i18n._(id, values), 'en', answer(fields), guest)

it('the receipt line of a free answer reads free, and that of another its credits', () => {
  expect(lineOf({})).toBe('free · 0.9 s')
  expect(lineOf({ credits: 1 })).toBe('1 credit · 0.9 s')
  expect(lineOf({ credits: 0 }, true)).toBe('0.9 s')
})

it('an answer counts as empty and free if it has no content and nothing was charged', () => {
  expect(isFreeEmptyAnswer(answer({}))).toBe(true)
  expect(isFreeEmptyAnswer(answer({ credits: 1 }))).toBe(false)
  expect(isFreeEmptyAnswer(answer({ credits: null }))).toBe(false)
  expect(isFreeEmptyAnswer(answer({ content: 'Some words' }))).toBe(false)
})

it('the receipts of the parts of an answer add up once all are loaded, with the balance after the last one', () => {
  const receipt = (held: number, charged: number, balanceAfter: number) =>
    ({ held, charged, released: held - charged, balanceAfter }) as Receipt
  const [first, second] = [receipt(5, 2, 98), receipt(4, 1, 97)]
  expect(sumReceipts([first, second])).toMatchObject({ held: 9, released: 6, balanceAfter: 97 })
  expect(sumReceipts([first, undefined])).toBeUndefined()
  expect(sumReceipts([])).toBeUndefined()
})
