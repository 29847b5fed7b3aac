import type { PromptToolCall, Usage } from '@parley/contracts'
import { type AnswerWriter, type CompleteAnswer, eventText, type WriterOptions } from './answer-writer.ts'

/** Writes a response in OpenAI's Responses format. */
export function createResponsesWriter({ generationId, model, created }: WriterOptions): AnswerWriter {
  const base = { id: `resp_${generationId}`, object: 'response', created_at: created, model, ...unset }
  const running = { ...base, status: 'in_progress', output: [], usage: null }
  let sequence = 0
  const event = (type: string, data: object): string => eventText({ type, sequence_number: sequence++, ...data }, type)
  /** The completed items of the answer, in order. */
  const done: OutputItem[] = []
  let message: { id: string; text: string } | undefined
  const idOf = (kind: string): string => `${kind}_${generationId}_${done.length}`
  const place = () => ({ item_id: message?.id, output_index: done.length, content_index: 0 })
  const startMessage = (): string => {
    if (message !== undefined) return ''
    message = { id: idOf('msg'), text: '' }
    const item = { ...messageItem(message.id, ''), status: 'in_progress', content: [] }
    return (
      event('response.output_item.added', { output_index: done.length, item }) +
      event('response.content_part.added', { ...place(), part: outputText('') })
    )
  }
  const endMessage = (): string => {
    if (message === undefined) return ''
    const { id, text } = message
    const item = messageItem(id, text)
    const ended =
      event('response.output_text.done', { ...place(), text, logprobs: [] }) +
      event('response.content_part.done', { ...place(), part: outputText(text) }) +
      event('response.output_item.done', { output_index: done.length, item })
    done.push(item)
    message = undefined
    return ended
  }
  const addCall = (call: PromptToolCall): string => {
    const item = callItem(idOf('fc'), call)
    const at = { item_id: item.id, output_index: done.length }
    const text =
      event('response.output_item.added', {
        output_index: done.length,
        item: { ...item, status: 'in_progress', arguments: '' },
      }) +
      event('response.function_call_arguments.delta', { ...at, delta: call.arguments }) +
      event('response.function_call_arguments.done', { ...at, name: call.name, arguments: call.arguments }) +
      event('response.output_item.done', { output_index: done.length, item })
    done.push(item)
    return text
  }
  return {
    id: base.id,
    open: () => event('response.created', { response: running }) + event('response.in_progress', { response: running }),
    add(piece) {
      if (piece.type === 'tool') return endMessage() + addCall(piece.call)
      if (piece.type !== 'text') return ''
      const started = startMessage()
      if (message !== undefined) message.text += piece.text
      return started + event('response.output_text.delta', { ...place(), delta: piece.text, logprobs: [] })
    },
    close(answer) {
      const ended = endMessage()
      const response = { ...base, ...endOf(answer), output: done, usage: responseUsage(answer.usage) }
      return ended + event(response.status === 'completed' ? 'response.completed' : 'response.incomplete', { response })
    },
    whole(answer) {
      const output = [
        ...(answer.text === '' ? [] : [messageItem(`msg_${generationId}_0`, answer.text)]),
        ...answer.calls.map((call, nth) => callItem(`fc_${generationId}_${nth + 1}`, call)),
      ]
      return { ...base, ...endOf(answer), output, usage: responseUsage(answer.usage) }
    },
  }
}

type OutputItem = ReturnType<typeof messageItem> | ReturnType<typeof callItem>

/** Fields that are required in every response. */
const unset = {
  ...{ error: null, incomplete_details: null, instructions: null, metadata: {}, parallel_tool_calls: true },
  ...{ temperature: null, top_p: null, tool_choice: 'auto', tools: [], previous_response_id: null, store: false },
}

const endOf = ({ finish }: CompleteAnswer) =>
  finish === 'length'
    ? { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
    : { status: 'completed' }

const outputText = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })

const messageItem = (id: string, text: string) => ({
  ...{ id, type: 'message', role: 'assistant', status: 'completed' },
  content: [outputText(text)],
})

const callItem = (id: string, { id: call_id, name, arguments: text }: PromptToolCall) => ({
  ...{ id, type: 'function_call', status: 'completed', call_id, name },
  arguments: text,
})

const responseUsage = ({ inputTokens, outputTokens }: Usage) => ({
  input_tokens: inputTokens,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: outputTokens,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: inputTokens + outputTokens,
})
