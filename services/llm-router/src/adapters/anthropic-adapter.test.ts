import { describe, expect, it } from 'vitest'
import type { PromptOptions, Target } from './adapter.ts'
import { anthropicAdapter } from './anthropic-adapter.ts'

/** A model whose provider answers with this stream. */
const targetOf = (
  answer: string | ReadableStream,
  model: Partial<Target> = {},
  onAsked: (body: string) => void = () => undefined,
) =>
  ({
    ...{ provider: 'anthropic', baseUrl: 'http://anthropic.test', apiKey: 'a key', apiModelName: 'claude-real' },
    ...{ maxTokens: 100, temperature: 1, thinks: true, headers: {}, ...model },
    async fetch(_url: string, { body }: { body: string }) {
      onAsked(body)
      return new Response(answer, { headers: { 'content-type': 'text/event-stream' } })
    },
  }) as unknown as Target

/** What Anthropic is asked with these options of a program, or without a program. */
async function askedWith(options: PromptOptions | undefined, model: Partial<Target> = {}, isStrict = false) {
  let asked: Record<string, unknown> = {}
  const target = targetOf('', model, (body) => {
    asked = JSON.parse(body)
  })
  const tools = [{ name: 'look', description: 'Looks', parameters: {}, ...(isStrict && { strict: true }) }]
  const messages = [{ role: 'user' as const, content: 'Look' }]
  await anthropicAdapter(target, { messages, tools, ...(options && { options }) })(new AbortController().signal)
  return asked
}
const thinking = { type: 'adaptive', display: 'summarized' }

it.each<[what: string, options: PromptOptions | undefined, expected: object]>([
  ['a chat', undefined, { thinking }],
  ['a program that asks for no effort', {}, { thinking: undefined, output_config: undefined }],
  ['a program that refuses effort', { effort: 'none' }, { thinking: undefined, output_config: undefined }],
  ['the least effort', { effort: 'minimal' }, { thinking, output_config: { effort: 'low' } }],
  ['much effort', { effort: 'max' }, { thinking, output_config: { effort: 'max' } }],
  [
    'effort and a forced tool, which exclude each other',
    { effort: 'high', toolChoice: 'required' },
    { thinking: undefined, tool_choice: { type: 'any' } },
  ],
  [
    'effort and a tool forced by its name',
    { effort: 'high', toolChoice: { name: 'look' } },
    { thinking: undefined, tool_choice: { type: 'tool', name: 'look' } },
  ],
  ['effort and no tool', { effort: 'high', toolChoice: 'none' }, { thinking, tool_choice: { type: 'none' } }],
  [
    'one tool at a time',
    { parallelToolCalls: false },
    { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
  ],
  [
    'one forced tool at a time',
    { parallelToolCalls: false, toolChoice: 'required' },
    { tool_choice: { type: 'any', disable_parallel_tool_use: true } },
  ],
  ['a temperature that thinking excludes', { effort: 'low', temperature: 0.5 }, { thinking, temperature: undefined }],
  ['a temperature', { temperature: 0.5 }, { thinking: undefined, temperature: 0.5 }],
  [
    'a temperature and top_p, which exclude each other',
    { temperature: 0.5, topP: 0.9 },
    { temperature: 0.5, top_p: undefined },
  ],
  [
    'sampling that thinking excludes',
    { effort: 'low', topP: 0.9, topK: 5 },
    { thinking, top_p: undefined, top_k: undefined },
  ],
  ['a temperature beyond Anthropic’s', { temperature: 1.7 }, { temperature: 1 }],
  ['more tokens than the model may write', { maxTokens: 1_000 }, { max_tokens: 100 }],
  [
    'the rest',
    { maxTokens: 7, topP: 0.9, topK: 5, stop: ['END'], user: 'u1' },
    { max_tokens: 7, top_p: 0.9, top_k: 5, stop_sequences: ['END'], metadata: { user_id: 'u1' } },
  ],
])('%s is asked of Anthropic in its words', async (_what, options, expected) => {
  const asked = await askedWith(options)
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, asked[name]]))).toEqual(expected)
})

it('a model that does not think has its own temperature, within Anthropic’s bounds', async () => {
  expect(await askedWith(undefined, { thinks: false, temperature: 0.2 })).toMatchObject({ temperature: 0.2 })
  // The default, which not every model accepts in words.
  expect(await askedWith(undefined, { thinks: false, temperature: 1.7 })).not.toHaveProperty('temperature')
  expect(await askedWith({ topP: 0.9 }, { thinks: false, temperature: 0.2 })).not.toHaveProperty('temperature')
})

it('a prompt that cannot be translated fails before its call', () => {
  const toolCalls = [{ id: 'call_1', name: 'look', arguments: 'no JSON' }]
  const prompt = { messages: [{ role: 'assistant' as const, content: '', toolCalls }], tools: [] }
  expect(() => anthropicAdapter({ headers: {} } as Target, prompt)).toThrow(SyntaxError)
})

it('only a strict tool is called strict', async () => {
  const look = { name: 'look', description: 'Looks', input_schema: { type: 'object' } }
  expect((await askedWith({})).tools).toEqual([look])
  expect((await askedWith({}, {}, true)).tools).toEqual([{ ...look, strict: true }])
})

describe('a stream of Anthropic’s', () => {
  const frame = (event: { type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
  const text = (said: string) => frame({ type: 'content_block_delta', ...delta(said) })
  const delta = (said: string) => ({ index: 0, delta: { type: 'text_delta', text: said } })
  const ping = frame({ type: 'ping' })

  /** Yields the batches of an answer whose body arrives in these pieces, and stays open. */
  async function* batchesOf(...pieces: string[]) {
    const body = new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      },
    })
    const prompt = { messages: [{ role: 'user' as const, content: 'Hello' }], tools: [] }
    yield* await anthropicAdapter(targetOf(body), prompt)(new AbortController().signal)
  }

  it('is over at the end of its message, and its pings are empty batches, which show that the provider is still at work', async () => {
    const end = frame({ type: 'message_stop' })
    expect(await Array.fromAsync(batchesOf(ping, text('a') + text('b'), ping, end, text('late')))).toEqual([
      [],
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      [],
    ])
  })

  it('that reports an error fails after the events before it', async () => {
    const batches = batchesOf(text('a') + frame({ type: 'error' }))
    expect((await batches.next()).value).toEqual([{ type: 'text', text: 'a' }])
    await expect(batches.next()).rejects.toThrow()
  })
})
