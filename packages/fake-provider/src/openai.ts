import { randomUUID } from 'node:crypto'
import { imageOfMessage } from './image.ts'
import { argumentPieces, finishReason, type ProviderScript, scriptedUsage, textPieces, type Usage } from './script.ts'
import type { ProviderFrame, WireFormat } from './wire-format.ts'

const created = 1_700_000_000
/** For precomputed frames. */
const fixedId = 'chatcmpl-fake'
const newId = (): string => `chatcmpl-${randomUUID()}`
const json = (data: unknown): ProviderFrame => ({ data: JSON.stringify(data) })

const chunkOf = (id: string, model: string | undefined, parts: object): ProviderFrame =>
  json({ id, created, object: 'chat.completion.chunk', model, ...parts })

/** A chunk of a chat completion. @param delta the addition to the message @param finish the finish reason, on the last chunk */
export const openAiChunk = (
  model: string | undefined,
  delta: object,
  finish: string | null = null,
  id: string = fixedId,
): ProviderFrame => chunkOf(id, model, { choices: [{ index: 0, delta, finish_reason: finish }] })

/** The chunk with the token usage. */
export const openAiUsage = (model: string | undefined, usage: Usage, id: string = fixedId): ProviderFrame =>
  chunkOf(id, model, { choices: [], usage: usageOf(usage) })

/** The last frame of every stream. */
export const openAiDone: ProviderFrame = { data: '[DONE]', kind: 'end' }

/** The chat completions format of OpenAI and most other providers. */
export const openAiFormat: WireFormat = {
  async *frames(request, script) {
    const { model } = request
    const id = newId()
    const chunk = (delta: object, finish: string | null = null) => openAiChunk(model, delta, finish, id)
    const piece = (delta: object): ProviderFrame => ({ ...chunk(delta), kind: 'piece' })
    yield chunk({ role: 'assistant', content: '' })
    for (const text of script.reasoning ?? []) yield piece({ [reasoningField(script)]: text })
    let sent = 0
    for await (const content of textPieces(script)) {
      yield piece({ content })
      sent += 1
    }
    for (const delta of toolDeltas(script)) yield piece(delta)
    yield chunk({}, finishReason(script))
    const usage = scriptedUsage(script, request, sent)
    if (usage !== undefined && request.stream_options?.include_usage === true) yield openAiUsage(model, usage, id)
    yield openAiDone
  },
  async whole(request, script) {
    const pieces = await Array.fromAsync(textPieces(script))
    const usage = scriptedUsage(script, request, pieces.length)
    const message = messageOf(script, pieces.join(''))
    return {
      ...{ id: newId(), created },
      object: 'chat.completion',
      model: request.model,
      choices: [{ index: 0, message, finish_reason: finishReason(script) }],
      ...(usage && { usage: usageOf(usage) }),
    }
  },
  error: (message) => json({ error: { message, type: 'server_error', code: 500 } }),
}

const reasoningField = ({ reasoningField: field = 'reasoning_content' }: ProviderScript): string => field

const usageOf = ({ inputTokens, outputTokens }: Usage) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
})

function toolDeltas({ toolCalls = [] }: ProviderScript): object[] {
  return toolCalls.flatMap((call, place) => {
    const index = call.index === undefined ? place : call.index
    const number = index === null ? {} : { index }
    const id = call.id === undefined ? {} : { id: call.id }
    return argumentPieces(call).map((text, nth) => {
      const first = { ...number, ...id, type: 'function', function: { name: call.name, arguments: text } }
      return { tool_calls: [nth === 0 ? first : { ...number, function: { arguments: text } }] }
    })
  })
}

function messageOf(script: ProviderScript, content: string): object {
  const toolCalls = script.toolCalls?.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: argumentPieces(call).join('') },
  }))
  return {
    role: 'assistant',
    content,
    ...(script.reasoning && { [reasoningField(script)]: script.reasoning.join('') }),
    ...(toolCalls && { tool_calls: toolCalls }),
    ...(script.image && imageOfMessage(script.image)),
  }
}
