import { imageAnswer, imageOfMessage } from './provider-image.ts'
import type { ProviderRequest } from './provider-prompt.ts'
import {
  type ProviderScript,
  type ScriptedToolCall,
  scriptedChunks,
  scriptedUsage,
  type Wire,
} from './provider-script.ts'

/** One event of a scripted stream; `piece` marks those that carry text, reasoning or arguments. */
export interface ProviderFrame {
  readonly event?: string
  readonly data: string
  readonly piece?: boolean
}

/** The frames of a healthy answer in the call's wire format. */
export function streamFrames(wire: Wire, request: ProviderRequest, script: ProviderScript): readonly ProviderFrame[] {
  return wire === 'anthropic' ? anthropicFrames(request, script) : openaiFrames(request, script)
}

/** The error frame that a provider may send inside a stream. */
export function errorFrame(wire: Wire): ProviderFrame {
  const message = 'secret-upstream-detail: the engine fell over'
  if (wire !== 'anthropic') return { data: JSON.stringify({ error: { message, type: 'server_error', code: 500 } }) }
  return { event: 'error', data: JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message } }) }
}

/** The answer to a call that did not ask for a stream. */
export function wholeAnswer(wire: Wire, request: ProviderRequest, script: ProviderScript): unknown {
  if (wire === 'images') return imageAnswer(script.image)
  return wire === 'openai' ? openaiAnswer(request, script) : anthropicAnswer(request, script)
}

const json = (data: unknown): ProviderFrame => ({ data: JSON.stringify(data) })

function openaiFrames(request: ProviderRequest, script: ProviderScript): ProviderFrame[] {
  const base = { id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: 1_700_000_000, model: request.model }
  const chunk = (delta: unknown, finish: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const reasoningField = script.reasoningField ?? 'reasoning_content'
  const frames = [json(chunk({ role: 'assistant', content: '' }))]
  for (const text of script.reasoning ?? []) frames.push({ ...json(chunk({ [reasoningField]: text })), piece: true })
  for (const text of scriptedChunks(script)) frames.push({ ...json(chunk({ content: text })), piece: true })
  for (const delta of openaiToolDeltas(script)) frames.push({ ...json(chunk(delta)), piece: true })
  frames.push(json(chunk({}, finishReason(script))))
  const usage = scriptedUsage(script, request)
  if (usage !== undefined && request.stream_options?.include_usage === true) {
    frames.push(json({ ...base, choices: [], usage: openaiUsage(usage) }))
  }
  frames.push({ data: '[DONE]' })
  return frames
}

function openaiToolDeltas(script: ProviderScript): unknown[] {
  return (script.toolCalls ?? []).flatMap((call, place) => {
    const index = call.index === undefined ? place : call.index
    const number = index === null ? {} : { index }
    const id = call.id === undefined ? {} : { id: call.id }
    return argumentPieces(call).map((text, nth) => {
      const first = { ...number, ...id, type: 'function', function: { name: call.name, arguments: text } }
      return { tool_calls: [nth === 0 ? first : { ...number, function: { arguments: text } }] }
    })
  })
}

function openaiAnswer(request: ProviderRequest, script: ProviderScript): unknown {
  const usage = scriptedUsage(script, request)
  const toolCalls = script.toolCalls?.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: argumentPieces(call).join('') },
  }))
  return {
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: request.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: scriptedChunks(script).join(''),
          ...(script.reasoning && { [script.reasoningField ?? 'reasoning_content']: script.reasoning.join('') }),
          ...(toolCalls && { tool_calls: toolCalls }),
          ...(script.image && imageOfMessage(script.image)),
        },
        finish_reason: finishReason(script),
      },
    ],
    ...(usage && { usage: openaiUsage(usage) }),
  }
}

const openaiUsage = (usage: { inputTokens: number; outputTokens: number }) => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
})

function anthropicFrames(request: ProviderRequest, script: ProviderScript): ProviderFrame[] {
  const usage = scriptedUsage(script, request)
  const frames = [
    named('message_start', {
      message: {
        id: 'msg_fake',
        type: 'message',
        role: 'assistant',
        model: request.model,
        content: [],
        stop_reason: null,
        ...(usage && { usage: { input_tokens: usage.inputTokens, output_tokens: 0 } }),
      },
    }),
    named('ping', {}),
  ]
  anthropicBlocks(script).forEach((block, index) => {
    frames.push(named('content_block_start', { index, content_block: block.start }))
    for (const delta of block.deltas) {
      frames.push({ ...named('content_block_delta', { index, delta }), piece: block.pieces })
    }
    frames.push(named('content_block_stop', { index }))
  })
  frames.push(
    named('message_delta', {
      delta: { stop_reason: stopReason(script), stop_sequence: null },
      ...(usage && { usage: { output_tokens: usage.outputTokens } }),
    }),
    named('message_stop', {}),
  )
  return frames
}

function anthropicBlocks(script: ProviderScript): { start: unknown; deltas: unknown[]; pieces: boolean }[] {
  const thinking = script.reasoning?.map((text) => ({ type: 'thinking_delta', thinking: text }))
  const text = scriptedChunks(script).map((piece) => ({ type: 'text_delta', text: piece }))
  const tools = (script.toolCalls ?? []).map((call, place) => ({
    start: { type: 'tool_use', id: call.id ?? `toolu_${place}`, name: call.name, input: {} },
    deltas: argumentPieces(call).map((part) => ({ type: 'input_json_delta', partial_json: part })),
    pieces: true,
  }))
  return [
    ...(thinking ? [{ start: { type: 'thinking', thinking: '' }, deltas: thinking, pieces: true }] : []),
    ...(text.length > 0 || tools.length === 0
      ? [{ start: { type: 'text', text: '' }, deltas: text, pieces: true }]
      : []),
    ...tools,
  ]
}

function anthropicAnswer(request: ProviderRequest, script: ProviderScript): unknown {
  const usage = scriptedUsage(script, request)
  return {
    id: 'msg_fake',
    type: 'message',
    role: 'assistant',
    model: request.model,
    content: [
      ...(script.reasoning ? [{ type: 'thinking', thinking: script.reasoning.join('') }] : []),
      { type: 'text', text: scriptedChunks(script).join('') },
      ...(script.toolCalls ?? []).map((call, place) => ({
        type: 'tool_use',
        id: call.id ?? `toolu_${place}`,
        name: call.name,
        input: call.parameters ?? {},
      })),
    ],
    stop_reason: stopReason(script),
    ...(usage && { usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens } }),
  }
}

const named = (type: string, data: object): ProviderFrame => ({ event: type, data: JSON.stringify({ type, ...data }) })

const finishReason = (script: ProviderScript): string =>
  script.finishReason ?? (script.toolCalls === undefined ? 'stop' : 'tool_calls')

const stopReason = (script: ProviderScript): string =>
  ({ stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' })[finishReason(script)] ?? 'end_turn'

function argumentPieces({ pieces, parameters = {} }: ScriptedToolCall): readonly string[] {
  const text = JSON.stringify(parameters)
  const middle = Math.ceil(text.length / 2)
  return pieces ?? [text.slice(0, middle), text.slice(middle)]
}
