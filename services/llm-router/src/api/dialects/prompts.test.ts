import { chatCompletionBodySchema, messagesBodySchema, responsesBodySchema } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { chatPrompt } from './chat-prompt.ts'
import { createPromptFiles } from './files.ts'
import { messagesPrompt } from './messages-prompt.ts'
import { responsesPrompt } from './responses-prompt.ts'

const files = createPromptFiles(fetch, new AbortController().signal)
const hello = { role: 'user', content: 'Hello' }

describe('for a model of another provider', () => {
  it.each([
    [{ thinking: { type: 'enabled', budget_tokens: 1_024 } }, { effort: 'medium' }],
    [{ thinking: { type: 'disabled' } }, { effort: undefined }],
    [{ tool_choice: { type: 'any' } }, { toolChoice: 'required', parallelToolCalls: undefined }],
    [{ tool_choice: { type: 'tool', name: 'look' } }, { toolChoice: { name: 'look' } }],
    [
      { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
      { toolChoice: 'auto', parallelToolCalls: false },
    ],
    [
      { temperature: 0.5, top_p: 0.9, top_k: 5, stop_sequences: ['END'], metadata: { user_id: 'u1' } },
      { maxTokens: 7, temperature: 0.5, topP: 0.9, topK: 5, stop: ['END'], user: 'u1' },
    ],
  ])('a message with %j is translated', async (asked, expected) => {
    const body = messagesBodySchema.parse({ model: 'm', max_tokens: 7, messages: [hello], ...asked })
    expect((await messagesPrompt(body, files)).options).toMatchObject(expected)
  })

  it.each([
    [
      { seed: 7, stop: 'END', user: 'u1' },
      { seed: 7, stop: ['END'], user: 'u1' },
    ],
    [{ max_completion_tokens: 5, max_tokens: 6 }, { maxTokens: 5 }],
    [{ max_tokens: 6 }, { maxTokens: 6 }],
    [
      { reasoning_effort: 'low', parallel_tool_calls: false },
      { effort: 'low', parallelToolCalls: false },
    ],
    [{ tool_choice: { type: 'function', function: { name: 'look' } } }, { toolChoice: { name: 'look' } }],
    [{ response_format: { type: 'json_object' } }, { format: 'json' }],
  ])('a chat completion with %j is translated', async (asked, expected) => {
    const body = chatCompletionBodySchema.parse({ model: 'm', messages: [hello], ...asked })
    expect((await chatPrompt(body, files)).options).toMatchObject(expected)
  })

  it.each([
    [
      { reasoning: { effort: 'high' }, parallel_tool_calls: false },
      { effort: 'high', parallelToolCalls: false },
    ],
    [{ tool_choice: { type: 'function', name: 'look' } }, { toolChoice: { name: 'look' } }],
    [
      { max_output_tokens: 9, user: 'u1' },
      { maxTokens: 9, user: 'u1' },
    ],
  ])('a response with %j is translated', async (asked, expected) => {
    const body = responsesBodySchema.parse({ model: 'm', input: 'Hello', ...asked })
    expect((await responsesPrompt(body, files)).options).toMatchObject(expected)
  })

  it('a tool is strict if its caller says so', async () => {
    const tool = { name: 'look', parameters: { type: 'object' } }
    const asked = [{ ...tool, strict: true }, { ...tool, strict: false }, tool]
    const chat = chatCompletionBodySchema.parse({
      ...{ model: 'm', messages: [hello] },
      tools: asked.map((look) => ({ type: 'function', function: look })),
    })
    const response = responsesBodySchema.parse({
      ...{ model: 'm', input: 'Hello' },
      tools: asked.map((look) => ({ type: 'function', ...look })),
    })
    for (const { tools } of [await chatPrompt(chat, files), await responsesPrompt(response, files)]) {
      expect(tools.map(({ strict }) => strict)).toEqual([true, undefined, undefined])
    }
  })

  it('a strict tool of Anthropic is not strict elsewhere, where a schema must fulfil other conditions', async () => {
    const look = { name: 'look', input_schema: { type: 'object' }, strict: true }
    const body = messagesBodySchema.parse({ model: 'm', max_tokens: 7, messages: [hello], tools: [look] })
    expect((await messagesPrompt(body, files)).tools[0]).not.toHaveProperty('strict')
  })

  it('a chat completion of instructions alone is one that can be answered: the last of them is a question', async () => {
    const [first, last] = ['Be brief', 'What is a nut?'].map((content) => ({ role: 'system', content }))
    const { messages } = await chatPrompt(
      chatCompletionBodySchema.parse({ model: 'm', messages: [first, last] }),
      files,
    )
    expect(messages).toEqual([first, { ...last, role: 'user' }])
  })

  it('images that tools return in a chat completion follow their results, which are text', async () => {
    const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='
    const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })
    const result = (tool_call_id: string) => ({
      ...{ role: 'tool', tool_call_id },
      content: [
        { type: 'text', text: tool_call_id },
        { type: 'image_url', image_url: { url: pixel } },
      ],
    })
    const asked = { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] }
    const messages = [hello, asked, result('a'), result('b'), hello]
    const { messages: told } = await chatPrompt(chatCompletionBodySchema.parse({ model: 'm', messages }), files)
    expect(told.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user', 'user'])
    expect(told[4]?.content).toMatchObject([{ mimeType: 'image/gif' }, { mimeType: 'image/gif' }])
  })

  it.each([
    { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
    { type: 'input_file', file_id: 'file-1' },
    { type: 'file', file: { file_id: 'file-1' } },
  ])('what cannot be translated is refused instead of being left out: %j', async (part) => {
    const said = [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, part] }]
    const refused = { code: 'validation_failed', message: expect.stringContaining(part.type) }
    const chat = chatCompletionBodySchema.parse({ model: 'm', messages: said })
    await expect(chatPrompt(chat, files)).rejects.toMatchObject(refused)
    const response = responsesBodySchema.parse({ model: 'm', input: said })
    await expect(responsesPrompt(response, files)).rejects.toMatchObject(refused)
  })

  it('what a developer says is said by the system', async () => {
    const told = [{ role: 'developer', content: 'Be brief' }, hello]
    const expected = [{ role: 'system', content: 'Be brief' }, hello]
    const chat = chatCompletionBodySchema.parse({ model: 'm', messages: told })
    expect((await chatPrompt(chat, files)).messages).toEqual(expected)
    const response = responsesBodySchema.parse({ model: 'm', input: told })
    expect((await responsesPrompt(response, files)).messages).toEqual(expected)
  })
})

describe('the images that a prompt names by their addresses', () => {
  const png = (bytes: number) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(bytes)])
  /** Reads images of this size until one is refused; resolves to how many were fetched and read. */
  async function readImages(bytes: number) {
    const counts = { fetched: 0, read: 0 }
    const fetchImage = async () => {
      counts.fetched += 1
      return new Response(png(bytes))
    }
    const { image } = createPromptFiles(fetchImage, new AbortController().signal)
    await expect(async () => {
      for (; counts.read < 200; counts.read += 1) await image('https://images.test/a.png')
    }).rejects.toMatchObject({ code: 'validation_failed' })
    return counts
  }

  it('are at most 100', async () => {
    expect(await readImages(10)).toEqual({ fetched: 100, read: 100 })
  })

  it('have at most 50 MB together', async () => {
    expect(await readImages(20 * 1024 * 1024 - 100)).toEqual({ fetched: 3, read: 2 })
  })
})
