import { describe, expect, it } from 'vitest'
import { messagesFormat } from './provider-formats.ts'

describe('a relayed message of Anthropic', () => {
  const input = { input_tokens: 3, cache_creation_input_tokens: 20, cache_read_input_tokens: 400 }

  it('has the cached tokens of its prompt among its input tokens', () => {
    const usage = { ...input, output_tokens: 4 }
    const note = messagesFormat.whole({ id: 'c', type: 'message', content: [{ type: 'text', text: 'Hi' }], usage })
    expect(note).toMatchObject({ inputTokens: 423, outputTokens: 4 })
  })

  it.each([
    ['without them at its end', { output_tokens: 4 }],
    ['with them at its end as well', { ...input, output_tokens: 4 }],
  ])('has them once if it is streamed, %s', (_what, usage) => {
    const read = messagesFormat.reader(false)
    const start = { type: 'message_start', message: { id: 'c', content: [], usage: { ...input, output_tokens: 1 } } }
    expect(read(JSON.stringify(start)).inputTokens).toBe(423)
    const end = read(JSON.stringify({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }))
    expect([end.inputTokens ?? 423, end.outputTokens]).toEqual([423, 4])
  })

  it('without figures has none', () => {
    const note = messagesFormat.whole({ id: 'c', type: 'message', content: [], usage: { input_tokens: -1 } })
    expect([note.inputTokens, note.outputTokens]).toEqual([undefined, undefined])
  })
})
