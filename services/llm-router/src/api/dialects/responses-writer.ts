import type { PromptToolCall, ResponsesBody } from '@parley/contracts'
import type { Finish } from '../../adapters/adapter.ts'
import { parsedArguments } from '../../adapters/tool-calls.ts'
import { type AnswerWriter, type CompleteAnswer, eventText, type WriterOptions } from './answer-writer.ts'

/**
 * Writes a response in OpenAI's Responses format.
 * @param customTools names of the tools that take plain text
 * @param echoed fields of the request that the response repeats
 */
export function createResponsesWriter(
  { generationId, model, created }: WriterOptions,
  customTools: ReadonlySet<string> = new Set(),
  echoed: object = {},
): AnswerWriter {
  const base = { id: `resp_${generationId}`, object: 'response', created_at: created, model, ...unset, ...echoed }
  const running = { ...base, status: 'in_progress', output: [], usage: null }
  let sequence = 0
  const event = (type: string, data: object): string => eventText({ type, sequence_number: sequence++, ...data }, type)
  /** The completed items of the answer, in order. */
  const done: OutputItem[] = []
  let open: { readonly kind: 'message' | 'reasoning'; readonly id: string; text: string } | undefined
  const idOf = (kind: string): string => `${kind}_${generationId}_${done.length}`
  const place = () => ({
    item_id: open?.id,
    output_index: done.length,
    [open?.kind === 'message' ? 'content_index' : 'summary_index']: 0,
  })
  const begin = (item: object): string => event('response.output_item.added', { output_index: done.length, item })
  const finish = (item: OutputItem): string => {
    const ended = event('response.output_item.done', { output_index: done.length, item })
    done.push(item)
    return ended
  }
  const start = (kind: 'message' | 'reasoning'): string => {
    if (open?.kind === kind) return ''
    const ended = end()
    open = { kind, id: idOf(kind === 'message' ? 'msg' : 'rs'), text: '' }
    return kind === 'message'
      ? ended +
          begin({ ...messageItem(open.id, ''), status: 'in_progress', content: [] }) +
          event('response.content_part.added', { ...place(), part: outputText('') })
      : ended +
          begin({ ...reasoningItem(open.id, ''), summary: [] }) +
          event('response.reasoning_summary_part.added', { ...place(), part: summaryText('') })
  }
  const end = (): string => {
    if (open === undefined) return ''
    const { kind, id, text } = open
    const ended =
      kind === 'message'
        ? event('response.output_text.done', { ...place(), text, logprobs: [] }) +
          event('response.content_part.done', { ...place(), part: outputText(text) }) +
          finish(messageItem(id, text))
        : event('response.reasoning_summary_text.done', { ...place(), text }) +
          event('response.reasoning_summary_part.done', { ...place(), part: summaryText(text) }) +
          finish(reasoningItem(id, text))
    open = undefined
    return ended
  }
  const addCall = (call: PromptToolCall): string => {
    const item = callItem(idOf(customTools.has(call.name) ? 'ctc' : 'fc'), call, customTools)
    const at = { item_id: item.id, output_index: done.length }
    if (item.type === 'custom_tool_call') {
      return (
        begin({ ...item, status: 'in_progress', input: '' }) +
        event('response.custom_tool_call_input.delta', { ...at, delta: item.input }) +
        event('response.custom_tool_call_input.done', { ...at, input: item.input }) +
        finish(item)
      )
    }
    return (
      begin({ ...item, status: 'in_progress', arguments: '' }) +
      event('response.function_call_arguments.delta', { ...at, delta: call.arguments }) +
      event('response.function_call_arguments.done', { ...at, name: call.name, arguments: call.arguments }) +
      finish(item)
    )
  }
  return {
    id: base.id,
    open: () => event('response.created', { response: running }) + event('response.in_progress', { response: running }),
    add(piece) {
      if (piece.type === 'tool') return end() + addCall(piece.call)
      if (piece.type !== 'text' && piece.type !== 'reasoning') return ''
      const started = start(piece.type === 'text' ? 'message' : 'reasoning')
      if (open !== undefined) open.text += piece.text
      return piece.type === 'text'
        ? started + event('response.output_text.delta', { ...place(), delta: piece.text, logprobs: [] })
        : started + event('response.reasoning_summary_text.delta', { ...place(), delta: piece.text })
    },
    close(answer) {
      const ended = end()
      const response = { ...base, ...endOf(answer), output: done, usage: responseUsage(answer) }
      return ended + event(response.status === 'completed' ? 'response.completed' : 'response.incomplete', { response })
    },
    whole(answer) {
      const output = [
        ...(answer.reasoning === '' ? [] : [reasoningItem(`rs_${generationId}`, answer.reasoning)]),
        ...(answer.text === '' ? [] : [messageItem(`msg_${generationId}_0`, answer.text)]),
        ...answer.calls.map((call, nth) => callItem(`fc_${generationId}_${nth + 1}`, call, customTools)),
      ]
      return { ...base, ...endOf(answer), output, usage: responseUsage(answer) }
    },
  }
}

type OutputItem = ReturnType<typeof messageItem> | ReturnType<typeof reasoningItem> | ReturnType<typeof callItem>

/** Fields that are required in every response. */
const unset = {
  ...{ error: null, incomplete_details: null, instructions: null, metadata: {}, parallel_tool_calls: true },
  ...{ temperature: null, top_p: null, tool_choice: 'auto', tools: [], previous_response_id: null, store: false },
}

/** The fields in which a response repeats its request. */
export const echoedFields = (body: ResponsesBody, isStored: boolean) => ({
  store: isStored,
  previous_response_id: body.previous_response_id || null,
  metadata: body.metadata ?? {},
})

/** Why a response is incomplete. */
const incompleteReasons: Readonly<Partial<Record<Finish, string>>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
}

function endOf({ finish }: CompleteAnswer) {
  const reason = incompleteReasons[finish]
  return reason === undefined ? { status: 'completed' } : { status: 'incomplete', incomplete_details: { reason } }
}

const outputText = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })

const messageItem = (id: string, text: string) => ({
  ...{ id, type: 'message', role: 'assistant', status: 'completed' },
  content: [outputText(text)],
})

const summaryText = (text: string) => ({ type: 'summary_text', text })
const reasoningItem = (id: string, text: string) => ({ id, type: 'reasoning', summary: [summaryText(text)] }) as const

/** A call of a function, or of a custom tool: the model was offered that as a function of one text. */
function callItem(
  id: string,
  { id: call_id, name, arguments: text }: PromptToolCall,
  customTools: ReadonlySet<string>,
) {
  const item = { id, status: 'completed', call_id, name }
  if (!customTools.has(name)) return { ...item, type: 'function_call', arguments: text } as const
  const { input } = parsedArguments(text) ?? {}
  return { ...item, type: 'custom_tool_call', input: typeof input === 'string' ? input : text } as const
}

const responseUsage = ({ usage, cachedTokens }: CompleteAnswer) => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: { cached_tokens: cachedTokens },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: usage.inputTokens + usage.outputTokens,
})
