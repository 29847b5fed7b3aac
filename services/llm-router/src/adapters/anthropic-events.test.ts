import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages'
import { describe, expect, it } from 'vitest'
import { createEventReader } from './anthropic-events.ts'

/** The events of an answer that starts and ends with these figures. */
function read(start: object | null, end: object | null, stopReason = 'end_turn') {
  const readEvent = createEventReader()
  const events = [
    { type: 'message_start', message: { usage: start } },
    { type: 'message_delta', delta: { stop_reason: stopReason }, usage: end },
  ]
  return events.flatMap((event) => readEvent(event as unknown as RawMessageStreamEvent))
}
/** Its figures, of which later ones replace earlier ones. */
const usageOf = (start: object | null, end: object | null) =>
  read(start, end).reduce(
    (figures, event) => ({
      inputTokens: (event.type === 'usage' ? event.inputTokens : undefined) ?? figures.inputTokens,
      cachedTokens: (event.type === 'usage' ? event.cachedTokens : undefined) ?? figures.cachedTokens,
      outputTokens: (event.type === 'usage' ? event.outputTokens : undefined) ?? figures.outputTokens,
    }),
    {} as { inputTokens?: number | undefined; cachedTokens?: number | undefined; outputTokens?: number | undefined },
  )

describe('the tokens of Anthropic’s prompt', () => {
  const start = { input_tokens: 3, cache_creation_input_tokens: 20, cache_read_input_tokens: 400, output_tokens: 1 }

  it('include those written to its cache and those read from it', () => {
    expect(usageOf(start, { output_tokens: 4 })).toEqual({ inputTokens: 423, cachedTokens: 400, outputTokens: 4 })
    expect(usageOf({ input_tokens: 3 }, { output_tokens: 4 })).toEqual({ inputTokens: 3, outputTokens: 4 })
  })

  it.each([
    ['repeats them', { ...start, output_tokens: 4 }, 423],
    ['has more of them', { ...start, input_tokens: 9, output_tokens: 4 }, 429],
    ['has some of them', { input_tokens: 9, cache_read_input_tokens: null, output_tokens: 4 }, 429],
  ])('are counted once when the end of a stream %s', (_what, end, inputTokens) => {
    expect(usageOf(start, end)).toEqual({ inputTokens, cachedTokens: 400, outputTokens: 4 })
  })

  it('are unknown when they are no numbers', () => {
    expect(usageOf({ input_tokens: 'many', cache_read_input_tokens: -1 }, null)).toEqual({})
  })
})

it.each([
  ['end_turn', 'stop'],
  ['max_tokens', 'length'],
  ['refusal', 'content_filter'],
])('Anthropic’s stop reason %s is the finish %s', (stopReason, reason) => {
  expect(read(null, null, stopReason).at(-1)).toEqual({ type: 'finish', reason })
})
