import { randomUUID } from 'node:crypto'
import {
  argumentPieces,
  finishReason,
  type ProviderScript,
  type ScriptedToolCall,
  scriptedUsage,
  textPieces,
} from './script.ts'
import type { ProviderFrame, WireFormat } from './wire-format.ts'

const head = () => ({ id: `msg_${randomUUID()}`, type: 'message', role: 'assistant' })
const named = (type: string, data: object): ProviderFrame => ({ event: type, data: JSON.stringify({ type, ...data }) })

/** A content block: its start and its deltas. */
interface Block {
  readonly start: object
  readonly deltas: Iterable<object> | AsyncIterable<object>
}

/** Anthropic's messages format. */
export const anthropicFormat: WireFormat = {
  async *frames(request, script) {
    const input = scriptedUsage(script, request, 0)
    const usage = input && { usage: { input_tokens: input.inputTokens, output_tokens: 0 } }
    const message = { ...head(), model: request.model, content: [], stop_reason: null, stop_sequence: null, ...usage }
    yield named('message_start', { message })
    yield named('ping', {})
    let sent = 0
    for (const [index, { start, deltas }] of blocksOf(script).entries()) {
      yield named('content_block_start', { index, content_block: start })
      for await (const delta of deltas) {
        yield { ...named('content_block_delta', { index, delta }), kind: 'piece' }
        if ('text' in delta) sent += 1
      }
      yield named('content_block_stop', { index })
    }
    const output = scriptedUsage(script, request, sent)
    yield named('message_delta', {
      delta: { stop_reason: stopReason(script), stop_sequence: null },
      ...(output && { usage: { output_tokens: output.outputTokens } }),
    })
    yield { ...named('message_stop', {}), kind: 'end' }
  },
  async whole(request, script) {
    const pieces = await Array.fromAsync(textPieces(script))
    const usage = scriptedUsage(script, request, pieces.length)
    const { reasoning, toolCalls = [] } = script
    return {
      ...head(),
      model: request.model,
      content: [
        ...(reasoning ? [{ type: 'thinking', thinking: reasoning.join('') }] : []),
        { type: 'text', text: pieces.join('') },
        ...toolCalls.map((call, place) => toolUse(call, place, call.parameters ?? {})),
      ],
      stop_reason: stopReason(script),
      stop_sequence: null,
      ...(usage && { usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens } }),
    }
  },
  error: (message) => named('error', { error: { type: 'overloaded_error', message } }),
}

function blocksOf({ reasoning, toolCalls = [], ...script }: ProviderScript): Block[] {
  const thinking = reasoning?.map((text) => ({ type: 'thinking_delta', thinking: text }))
  const pieces = textPieces(script)
  // An answer with nothing but tool calls has no text block.
  const hasText = toolCalls.length === 0 || !Array.isArray(pieces) || pieces.length > 0
  return [
    ...(thinking ? [{ start: { type: 'thinking', thinking: '' }, deltas: thinking }] : []),
    ...(hasText ? [{ start: { type: 'text', text: '' }, deltas: textDeltas(pieces) }] : []),
    ...toolCalls.map((call, place) => ({
      start: toolUse(call, place, {}),
      deltas: argumentPieces(call).map((part) => ({ type: 'input_json_delta', partial_json: part })),
    })),
  ]
}

async function* textDeltas(pieces: ReturnType<typeof textPieces>): AsyncGenerator<object> {
  for await (const text of pieces) yield { type: 'text_delta', text }
}

const toolUse = ({ id, name }: ScriptedToolCall, place: number, input: object): object => ({
  type: 'tool_use',
  id: id ?? `toolu_${place}`,
  name,
  input,
})

const stopReason = (script: ProviderScript): string =>
  ({ stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' })[finishReason(script)]
