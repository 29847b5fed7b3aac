import { expect, it } from 'vitest'
import { createWatchdog } from '../completion/watchdog.ts'
import { chatFormat, messagesFormat, type ProviderFormat, responsesFormat } from './provider-formats.ts'
import { streamedAnswer } from './relay-answer.ts'

const chunk = (delta: object, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: null }], usage: null, ...more })}\n\n`
const finish = chunk({}, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
const figures = chunk({}, { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } })
const named = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
const delta = (text: string): string => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })

interface Fixture {
  readonly format: ProviderFormat
  readonly hidesUsage?: boolean
  readonly events: readonly string[]
  /** The parts not sent to the caller. */
  readonly hidden?: string
  readonly credits?: { readonly charged: number; readonly remaining: number }
}
const chat = [chunk({ role: 'assistant', content: '' }), chunk({ content: 'Grüße "[DONE]"' }), chunk({ content: '!' })]
const fixtures: Readonly<Record<string, Fixture>> = {
  'a chat completion with figures': { format: chatFormat, events: [...chat, finish, figures, 'data: [DONE]\n\n'] },
  'a chat completion whose figures were asked for by us': {
    ...{ format: chatFormat, hidesUsage: true },
    events: [...chat, finish, figures, 'data: [DONE]\n\n'],
    hidden: figures,
  },
  'a chat completion with comments and a call of a tool': {
    format: chatFormat,
    events: [
      ': thinking\n\n',
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"error":' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }),
      ...[finish, figures, 'data: [DONE]\n\n'],
    ],
  },
  'a response of OpenAI': {
    format: responsesFormat,
    events: [
      named('response.created', { response: { id: 'c', status: 'in_progress', output: [], usage: null } }),
      named('response.output_item.added', { item: { id: 'm', type: 'message', content: [] } }),
      ...['Grüße', ' "response.completed"'].map((delta) => named('response.output_text.delta', { delta })),
      named('response.output_text.done', { text: 'Grüße "response.completed"' }),
      named('response.completed', { response: { id: 'c', usage: { input_tokens: 3, output_tokens: 4 } } }),
    ],
  },
  'a message of Anthropic': {
    format: messagesFormat,
    events: [
      named('message_start', { message: { id: 'c', content: [], usage: { input_tokens: 3, output_tokens: 1 } } }),
      named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...[named('ping', {}), delta('Grüße'), delta(' aus Köln'), named('content_block_stop', { index: 0 })],
      named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } }),
      named('message_stop', {}),
    ],
  },
}

/** The caller's stream when the provider's arrives in these pieces. */
async function relayed({ format, hidesUsage = false, credits }: Fixture, pieces: readonly Buffer[]) {
  const asked = { path: '', headers: {}, body: {}, format, isStream: true, hidesUsage, inputTokens: 9 }
  const stopped = new AbortController()
  const body = (async function* () {
    yield* pieces
  })()
  const watchdog = createWatchdog(() => undefined)
  const end = (): void => watchdog.end()
  const running = { watchdog, release: end, cancel: end, signal: stopped.signal, idleMs: 60_000 }
  const answer = await streamedAnswer(body, asked, running)
  const sent: Uint8Array[] = []
  for await (const piece of answer.pieces) sent.push(piece)
  const usage = await answer.usage(true)
  return {
    text: Buffer.concat([...sent, answer.closing(usage, credits)]).toString(),
    usage,
    hasOutput: answer.hasOutput(),
    id: answer.id(),
  }
}

const written = { LF: (text: string) => text, 'CR LF': (text: string) => text.replaceAll('\n', '\r\n') }
const table = Object.entries(fixtures).flatMap(([name, fixture]) =>
  Object.entries(written).map(([ends, write]) => [name, ends, fixture, write] as const),
)

it.each(table)(
  '%s, with %s and cut at every byte, is relayed byte for byte, its figures read',
  async (_name, _ends, fixture, write) => {
    const bytes = Buffer.from(write(fixture.events.join('')))
    const text = write(fixture.events.filter((event) => event !== fixture.hidden).join(''))
    const expected = { text, usage: { inputTokens: 3, outputTokens: 4, estimated: false }, hasOutput: true, id: 'c' }
    for (let cut = 1; cut < bytes.length; cut += 1) {
      expect(await relayed(fixture, [bytes.subarray(0, cut), bytes.subarray(cut)]), `cut at ${cut}`).toEqual(expected)
    }
  },
)

it.each(Object.entries(written))(
  'figures, with %s, say what the answer cost, and else are what they were',
  async (_ends, write) => {
    const [asked, finishing] = [
      figures,
      chunk({}, { choices: JSON.parse(finish.slice(5)).choices, usage: { prompt_tokens: 1 } }),
    ]
    for (const events of [
      [...chat, finish, asked, 'data: [DONE]\n\n'],
      [...chat, finishing, 'data: [DONE]\n\n'],
      [...chat, finish, asked],
    ]) {
      const bytes = Buffer.from(write(events.join('')))
      const credits = { charged: 5, remaining: 995 }
      const { text } = await relayed({ format: chatFormat, events, credits }, [bytes.subarray(0, 9), bytes.subarray(9)])
      const told = text.replace(',"credits":{"charged":5,"remaining":995}', '')
      expect([told, text === told]).toEqual([bytes.toString(), false])
    }
    const unasked = { format: chatFormat, events: [], hidesUsage: true, credits: { charged: 5, remaining: 995 } }
    const { text } = await relayed(unasked, [
      Buffer.from(write([...chat, finish, figures, 'data: [DONE]\n\n'].join(''))),
    ])
    expect(text).not.toContain('credits')
  },
)

it('data after the end of an answer is not relayed', async () => {
  const events = [...chat, finish, 'data: [DONE]\n\n']
  const late = Buffer.from(chunk({ content: 'late' }))
  const { text } = await relayed({ format: chatFormat, events }, [Buffer.from(events.join('')), late])
  expect(text).toBe(events.join(''))
})

it('invalid usage figures are replaced by an estimate, and the answer is complete', async () => {
  const wrong = chunk({}, { choices: [], usage: { prompt_tokens: -5, completion_tokens: 'many' } })
  const events = [...chat, finish, wrong, 'data: [DONE]\n\n']
  const { text, usage, hasOutput } = await relayed({ format: chatFormat, events }, [Buffer.from(events.join(''))])
  expect(text).toBe(events.join(''))
  expect([usage, hasOutput]).toEqual([{ inputTokens: 9, outputTokens: expect.any(Number), estimated: true }, true])
})

it('a refusal without a text of its own is a complete answer without output', async () => {
  const events = [chunk({ refusal: 'No.' }), finish, 'data: [DONE]\n\n']
  const { text, hasOutput } = await relayed({ format: chatFormat, events }, [Buffer.from(events.join(''))])
  expect([text, hasOutput]).toEqual([events.join(''), false])
})
