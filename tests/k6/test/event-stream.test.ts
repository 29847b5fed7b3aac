import { expect, it } from 'vitest'
import { faultOf } from '../src/event-stream.ts'

const stream = (...data: readonly [number, string][]): string =>
  data.map(([id, text]) => `id: ${id}\ndata: ${text}\n\n`).join('')
const done = '{"done":true,"messageId":"m"}'

it.each([
  ['a whole answer has no fault', stream([1, '{"text":"a"}'], [2, done], [3, '[DONE]']), undefined],
  ['comments are no events', `: wait\n\n${stream([1, done], [2, '[DONE]'])}`, undefined],
  ['a gap is a fault', stream([1, '{"text":"a"}'], [3, done], [4, '[DONE]']), 'has event 3 out of order'],
  [
    'an event that comes twice is a fault',
    stream([1, '{"text":"a"}'], [1, '{"text":"a"}']),
    'has event 1 out of order',
  ],
  ['a stream that is cut is a fault', stream([1, '{"text":"a"}']), 'ends with {"text":"a"}'],
  ['an empty stream is a fault', '', 'ends with undefined'],
  [
    'an answer that failed is a fault',
    stream([1, '{"error":"It broke","code":"provider_error"}'], [2, '[DONE]']),
    'did not end well: {"error":"It broke","code":"provider_error"}',
  ],
])('in the stream of a load test, %s', (_, text, fault) => {
  expect(faultOf(text).fault).toBe(fault)
})
