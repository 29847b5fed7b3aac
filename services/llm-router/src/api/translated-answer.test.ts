import { Agent } from 'undici'
import { expect, it } from 'vitest'
import type { Adapter, Target } from '../adapters/adapter.ts'
import { anthropicAdapter } from '../adapters/anthropic-adapter.ts'
import { fetchAdapter } from '../adapters/fetch-adapter.ts'
import type { AnswerWriter, WriterOptions } from './dialects/answer-writer.ts'
import { createChatWriter } from './dialects/chat-writer.ts'
import { createMessagesWriter } from './dialects/messages-writer.ts'
import { createResponsesWriter } from './dialects/responses-writer.ts'
import { translatedAnswer } from './translated-answer.ts'

const chunk = (delta: object, more: object = {}): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`
const openai = [
  chunk({ role: 'assistant', reasoning_content: 'Hm' }),
  chunk({ content: 'Grüße' }),
  chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"x"' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
  chunk({}, { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }),
  chunk({}, { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } }),
  'data: [DONE]\n\n',
]
const named = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
const block = (index: number, content_block: object, ...deltas: object[]): string[] => [
  named('content_block_start', { index, content_block }),
  ...deltas.map((delta) => named('content_block_delta', { index, delta })),
  named('content_block_stop', { index }),
]
const anthropic = [
  named('message_start', { message: { content: [], usage: { input_tokens: 3, output_tokens: 1 } } }),
  ...block(0, { type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking: 'Hm' }),
  ...block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'Grüße' }),
  ...block(
    2,
    { type: 'tool_use', id: 'a', name: 'f', input: {} },
    ...['{"x"', ':1}'].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  ),
  named('message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 4 } }),
  named('message_stop', {}),
]

const writers: Readonly<Record<string, (options: WriterOptions) => AnswerWriter>> = {
  'chat completion': (options) => createChatWriter(options, true),
  message: createMessagesWriter,
  response: createResponsesWriter,
}

/** A model that answers in these pieces. */
const targetOf = (pieces: readonly Buffer[]): Target => ({
  ...{
    provider: 'openai',
    baseUrl: 'http://provider.test',
    apiKey: 'k',
    apiModelName: 'm',
    maxTokens: 9,
    temperature: 1,
  },
  ...{ thinks: false, headers: {}, dispatcher: new Agent() },
  fetch: async () =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(piece)
          controller.close()
        },
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    ),
})

/** The caller's answer when the provider's stream arrives in these pieces. */
async function translated(adapter: Adapter, writer: AnswerWriter, isStream: boolean, pieces: readonly Buffer[]) {
  const options = { deadline: performance.now() + 60_000, idleMs: 60_000, signal: new AbortController().signal }
  const prompt = { messages: [{ role: 'user' as const, content: 'Hello' }], tools: [] }
  const answer = await translatedAnswer({ call: adapter(targetOf(pieces), prompt), prompt, writer, isStream }, options)
  const sent: Uint8Array[] = []
  for await (const piece of answer.pieces) sent.push(piece)
  const usage = await answer.usage(true)
  expect(usage).toEqual({ inputTokens: 3, outputTokens: 4, estimated: false })
  const text = Buffer.concat([...sent, answer.closing(usage)]).toString()
  expect(text).toContain(`"id":"${answer.id()}"`)
  return text
}

const providers = { OpenAI: [fetchAdapter, openai], Anthropic: [anthropicAdapter, anthropic] } as const
const ends = { LF: (text: string) => text, 'CR LF': (text: string) => text.replaceAll('\n', '\r\n') }
const table = Object.entries(providers).flatMap(([provider, [adapter, events]]) =>
  Object.entries(ends).flatMap(([end, write]) =>
    Object.entries(writers).map(([name, writer]) => [provider, end, name, { adapter, events, write, writer }] as const),
  ),
)
const writerOptions = { generationId: 'g', model: 'm', created: 1, inputTokens: 3 }

it.each(table)(
  'an answer of %s with %s and cut at every byte is the same %s, streamed and whole',
  async (_provider, _end, _name, { adapter, events, write, writer }) => {
    const bytes = Buffer.from(write(events.join('')))
    const uncut = Buffer.from(events.join(''))
    for (const isStream of [true, false]) {
      const expected = await translated(adapter, writer(writerOptions), isStream, [uncut])
      expect(expected).toContain('Grüße')
      expect(expected).toMatch(/\{\\"x\\":1\}|"x":1/)
      // Whole answers are built from the same events, so fewer cuts suffice.
      for (let cut = 1; cut < bytes.length; cut += isStream ? 1 : 37) {
        const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)]
        expect(await translated(adapter, writer(writerOptions), isStream, pieces), `cut at ${cut}`).toBe(expected)
      }
    }
  },
)

it.each([
  ['text', { content: 'Yes' }],
  ['reasoning', { reasoning_content: 'Hm' }],
  ['a call of a tool', { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] }],
])('an answer of %s alone is one that is paid for', async (_what, delta) => {
  const bytes = [chunk(delta), chunk({}, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })]
  const options = { deadline: performance.now() + 60_000, idleMs: 60_000, signal: new AbortController().signal }
  const prompt = { messages: [{ role: 'user' as const, content: 'Hello' }], tools: [] }
  const call = fetchAdapter(targetOf([Buffer.from(`${bytes.join('')}data: [DONE]\n\n`)]), prompt)
  const writer = createChatWriter(writerOptions, true)
  const answer = await translatedAnswer({ call, prompt, writer, isStream: false }, options)
  expect(answer.hasOutput()).toBe(true)
})

/** The whole answer in each dialect, and the last events of the streamed one. */
async function inEachDialect(adapter: Adapter, events: readonly string[]) {
  const ask = async (name: string, isStream: boolean): Promise<string> => {
    const options = { deadline: performance.now() + 60_000, idleMs: 60_000, signal: new AbortController().signal }
    const prompt = { messages: [{ role: 'user' as const, content: 'Hello' }], tools: [] }
    const writer = writers[name]?.(writerOptions) as AnswerWriter
    const target = targetOf([Buffer.from(events.join(''))])
    const answer = await translatedAnswer({ call: adapter(target, prompt), prompt, writer, isStream }, options)
    for await (const _piece of answer.pieces);
    return Buffer.from(answer.closing(await answer.usage(true))).toString()
  }
  const lastEvents = (text: string) =>
    text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
  const inDialect = async (name: string) => ({
    whole: JSON.parse(await ask(name, false)),
    streamed: lastEvents(await ask(name, true)),
  })
  return {
    chat: await inDialect('chat completion'),
    message: await inDialect('message'),
    response: await inDialect('response'),
  }
}

const filteredChunk = chunk({}, { choices: [{ index: 0, delta: {}, finish_reason: 'content_filter' }] })
const refused = [
  named('message_delta', { delta: { stop_reason: 'refusal' }, usage: { output_tokens: 4 } }),
  named('message_stop', {}),
]
const filtered = {
  OpenAI: [fetchAdapter, [chunk({ content: 'I ' }), filteredChunk]],
  'OpenAI before its first piece': [fetchAdapter, [filteredChunk]],
  Anthropic: [
    anthropicAdapter,
    [anthropic[0] ?? '', ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'I ' }), ...refused],
  ],
  'Anthropic before its first piece': [anthropicAdapter, [anthropic[0] ?? '', ...refused]],
} as const

it.each(Object.entries(filtered))(
  'an answer that was filtered at %s says so in every dialect, streamed and whole',
  async (_provider, [adapter, events]) => {
    const { chat, message, response } = await inEachDialect(adapter, events)
    const choices = [{ finish_reason: 'content_filter' }]
    expect([chat.whole, chat.streamed[0]]).toMatchObject([{ choices }, { choices }])
    expect(message.whole).toMatchObject({ stop_reason: 'refusal' })
    expect(message.streamed).toContainEqual(
      expect.objectContaining({ type: 'message_delta', delta: { stop_reason: 'refusal', stop_sequence: null } }),
    )
    const incomplete = { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }
    const last = { type: 'response.incomplete', response: incomplete }
    expect([response.whole, response.streamed.at(-1)]).toMatchObject([incomplete, last])
  },
)

const cached = {
  OpenAI: [
    fetchAdapter,
    [
      ...openai.slice(0, -2),
      chunk(
        {},
        {
          choices: [],
          usage: { prompt_tokens: 423, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 400 } },
        },
      ),
    ],
  ],
  Anthropic: [
    anthropicAdapter,
    [
      named('message_start', {
        message: {
          content: [],
          usage: { input_tokens: 3, cache_creation_input_tokens: 20, cache_read_input_tokens: 400, output_tokens: 1 },
        },
      }),
      ...anthropic.slice(1),
    ],
  ],
} as const

it.each(Object.entries(cached))(
  'the cached tokens of a prompt to %s are reported in every dialect, streamed and whole',
  async (_provider, [adapter, events]) => {
    const { chat, message, response } = await inEachDialect(adapter, events)
    const chatUsage = { prompt_tokens: 423, total_tokens: 427, prompt_tokens_details: { cached_tokens: 400 } }
    expect([chat.whole, chat.streamed.at(-1)]).toMatchObject([{ usage: chatUsage }, { usage: chatUsage }])
    const usage = { input_tokens: 423, total_tokens: 427, input_tokens_details: { cached_tokens: 400 } }
    expect([response.whole, response.streamed.at(-1).response]).toMatchObject([{ usage }, { usage }])
    // In Anthropic's format they are not among the input tokens.
    const ofMessage = { input_tokens: 23, cache_read_input_tokens: 400, output_tokens: 4 }
    expect(message.whole).toMatchObject({ usage: ofMessage })
    expect(message.streamed).toContainEqual(expect.objectContaining({ usage: expect.objectContaining(ofMessage) }))
  },
)
