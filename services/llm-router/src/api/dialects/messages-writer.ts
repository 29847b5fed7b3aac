import type { Finish } from '../../adapters/adapter.ts'
import { parsedArguments } from '../../adapters/tool-calls.ts'
import { type AnswerWriter, type CompleteAnswer, eventText, type WriterOptions } from './answer-writer.ts'

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
} as const satisfies Record<Finish, string>

/** Writes a message in Anthropic's format. */
export function createMessagesWriter({ generationId, model, inputTokens }: WriterOptions): AnswerWriter {
  const base = { id: `msg_${generationId}`, type: 'message', role: 'assistant', model }
  const event = (type: string, data: object): string => eventText({ type, ...data }, type)
  let index = -1
  let open: 'text' | 'thinking' | undefined
  const stop = (): string => {
    if (open === undefined) return ''
    open = undefined
    return event('content_block_stop', { index })
  }
  const start = (block: object): string => {
    index += 1
    return event('content_block_start', { index, content_block: block })
  }
  const delta = (data: object): string => event('content_block_delta', { index, delta: data })
  const into = (kind: 'text' | 'thinking', block: object): string => {
    if (open === kind) return ''
    const stopped = stop()
    open = kind
    return stopped + start(block)
  }
  return {
    id: base.id,
    open: () =>
      event('message_start', {
        message: {
          ...{ ...base, content: [], stop_reason: null, stop_sequence: null },
          usage: { input_tokens: inputTokens, output_tokens: 0 },
        },
      }),
    add(piece) {
      switch (piece.type) {
        case 'text':
          return into('text', { type: 'text', text: '' }) + delta({ type: 'text_delta', text: piece.text })
        case 'reasoning':
          return (
            into('thinking', { type: 'thinking', thinking: '', signature: '' }) +
            delta({ type: 'thinking_delta', thinking: piece.text })
          )
        case 'tool': {
          const { id, name, arguments: text } = piece.call
          const before = stop() + start({ type: 'tool_use', id, name, input: {} })
          return `${before}${delta({ type: 'input_json_delta', partial_json: text })}${event('content_block_stop', { index })}`
        }
        default:
          return ''
      }
    },
    close(answer) {
      const reason = { stop_reason: stopReasons[answer.finish], stop_sequence: null }
      return stop() + event('message_delta', { delta: reason, usage: messageUsage(answer) }) + event('message_stop', {})
    },
    whole: (answer) => ({
      ...{ ...base, content: blocksOf(answer), stop_reason: stopReasons[answer.finish], stop_sequence: null },
      usage: messageUsage(answer),
    }),
  }
}

/** Anthropic's input tokens exclude the cached ones. */
const messageUsage = ({ usage, cachedTokens }: CompleteAnswer) => ({
  input_tokens: usage.inputTokens - cachedTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: cachedTokens,
  output_tokens: usage.outputTokens,
})

const blocksOf = ({ text, reasoning, calls }: CompleteAnswer): object[] => [
  ...(reasoning === '' ? [] : [{ type: 'thinking', thinking: reasoning, signature: '' }]),
  ...(text === '' ? [] : [{ type: 'text', text }]),
  ...calls.map(({ id, name, arguments: input }) => ({
    type: 'tool_use',
    id,
    name,
    input: parsedArguments(input) ?? {},
  })),
]
