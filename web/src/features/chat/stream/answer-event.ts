import type {
  Attachment,
  GuestSession,
  SearchResult,
  ServerEvent,
  ServerPayload,
  StreamEvent,
  ToolCall,
  Usage,
  UsedMemory,
} from '@parley/contracts'

type DoneEvent = Extract<StreamEvent, { done: true }>

/** One event of an answer from any source, discriminated by `type`. `other` is unknown to this client, or changes nothing here. */
export type AnswerEvent =
  | {
      type: 'start'
      chatId: string
      messageId: string
      /** Identifies the stream: the message's id, or that of the generation that continues it. */
      streamId: string
      userMessageId: string
      model: string
      title?: string
    }
  | { type: 'guest'; guest: GuestSession }
  /** The memories used for the answer. */
  | { type: 'memories'; used: UsedMemory[] }
  /** Memory did not respond in time; the answer is made without it. */
  | { type: 'memoryUnavailable' }
  | { type: 'reasoning'; delta: string }
  | { type: 'text'; delta: string }
  | { type: 'found'; pages: SearchResult[] }
  | { type: 'reading' }
  | { type: 'tool'; call: ToolCallUpdate }
  /** Complete parts of a plain JSON answer. */
  | { type: 'parts'; toolCalls: ToolCall[]; results: SearchResult[]; attachments: Attachment[] }
  | { type: 'done'; finishReason: DoneEvent['finishReason']; usage: Usage; credits: DoneEvent['credits'] }
  | { type: 'error'; error: string; code: string }
  | { type: 'end' }
  | { type: 'other' }

export type AnswerStep =
  /** Event number `seq`, from 1 without gaps. */
  | { type: 'event'; seq: number; event: AnswerEvent }
  /** The text of all events up to number `seq`. */
  | { type: 'snapshot'; seq: number; content: string; reasoning: string }
  /** `offline`: the message has not been sent, because the browser has no network. */
  | { type: 'connection'; state: 'connected' | 'reconnecting' | 'offline' }
  /** All events will be repeated from the first. */
  | { type: 'restart' }

/** Socket events with their names. */
export type MessageOf<T extends ServerEvent> = T extends ServerEvent ? { readonly type: T } & ServerPayload<T> : never
/** An answer's socket messages; each is one event. */
export type AnswerMessage = MessageOf<'stream:delta' | 'stream:tool' | 'stream:websearch'>

/** One event's update of a tool call; name and parameters come with the start. */
export type ToolCallUpdate = Pick<ToolCall, 'toolName' | 'toolCallId'> &
  Partial<Pick<ToolCall, 'parameters' | 'result' | 'resultNormalized' | 'error'>>

/** Decodes the `data` of a stream event; invalid data (broken JSON, not an object) becomes `other`. */
export function decodeLine(data: string): AnswerEvent {
  if (data === '[DONE]') return { type: 'end' }
  const value = parseObject(data)
  return value ? toAnswerEvent(value) : { type: 'other' }
}

export function decodeMessage(message: AnswerMessage): AnswerStep {
  return { type: 'event', seq: message.seq, event: eventOfMessage(message) }
}

function eventOfMessage(message: AnswerMessage): AnswerEvent {
  switch (message.type) {
    case 'stream:delta':
      return toAnswerEvent({ text: message.text, reasoning: message.reasoning })
    case 'stream:tool':
      return { type: 'tool', call: message.toolCall }
    case 'stream:websearch':
      return { type: 'found', pages: message.results }
    default:
      return message satisfies never
  }
}

/** Decodes a plain JSON answer or error into equivalent events; null when it has neither content nor error. */
export function decodeJson(body: unknown): AnswerEvent[] | null {
  if (!isRecord(body)) return null
  if (typeof body.error === 'string') return [{ type: 'error', error: body.error, code: text(body.code) }]
  if (typeof body.content !== 'string') return null
  const events: AnswerEvent[] = []
  if (typeof body.messageId === 'string' && typeof body.chatId === 'string') {
    events.push({
      type: 'start',
      chatId: body.chatId,
      messageId: body.messageId,
      streamId: body.messageId,
      userMessageId: '',
      model: '',
    })
  }
  if (typeof body.reasoning === 'string') events.push({ type: 'reasoning', delta: body.reasoning })
  events.push({ type: 'text', delta: body.content })
  const parts = partsOf(body)
  if (parts) events.push(parts)
  events.push({ type: 'done', finishReason: 'stop', usage: toUsage(body.usage), credits: toCredits(body.credits) })
  return events
}

function partsOf(body: Record<string, unknown>): AnswerEvent | null {
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value.filter(isRecord) : [])
  const toolCalls = list(body.toolCalls) as ToolCall[]
  const results = list(body.webSearchResults) as SearchResult[]
  const attachments = list(body.attachments) as Attachment[]
  return toolCalls.length + results.length + attachments.length > 0
    ? { type: 'parts', toolCalls, results, attachments }
    : null
}

function toAnswerEvent(value: Record<string, unknown>): AnswerEvent {
  if (typeof value.text === 'string') return { type: 'text', delta: value.text }
  if (typeof value.reasoning === 'string') return { type: 'reasoning', delta: value.reasoning }
  if (value.done === true) {
    return {
      type: 'done',
      finishReason: toFinishReason(value.finishReason),
      usage: toUsage(value.usage),
      credits: toCredits(value.credits),
    }
  }
  if (typeof value.error === 'string') return { type: 'error', error: value.error, code: text(value.code) }
  if (isRecord(value.guestInfo)) return { type: 'guest', guest: value.guestInfo as GuestSession }
  if (Array.isArray(value.memories_used)) return { type: 'memories', used: value.memories_used.filter(isUsedMemory) }
  if (value.memory_unavailable === true) return { type: 'memoryUnavailable' }
  if (typeof value.web_search_url === 'string') return toFound(value.web_search_url, value)
  if (value.url_content_processing === true) return { type: 'reading' }
  const tool = value.tool_call_start ?? value.tool_call_result ?? value.tool_call_error
  if (isRecord(tool) && typeof tool.toolCallId === 'string') return { type: 'tool', call: toToolCallUpdate(tool) }
  if (typeof value.chatId === 'string' && typeof value.messageId === 'string') return toStart(value)
  return { type: 'other' }
}

const toFound = (url: string, { title, domain }: Record<string, unknown>): AnswerEvent => ({
  type: 'found',
  pages: [{ url, title: text(title) || url, domain: text(domain) }],
})

function toToolCallUpdate(tool: Record<string, unknown>): ToolCallUpdate {
  const { toolName, toolCallId, parameters, result, resultNormalized, error } = tool
  return {
    toolName: text(toolName),
    toolCallId: text(toolCallId),
    ...(isRecord(parameters) && { parameters }),
    ...(result !== undefined && { result }),
    ...(typeof resultNormalized === 'string' && { resultNormalized }),
    ...(typeof error === 'string' && { error }),
  }
}

function toStart(value: Record<string, unknown>): AnswerEvent {
  return {
    type: 'start',
    chatId: text(value.chatId),
    messageId: text(value.messageId),
    streamId: text(value.generationId) || text(value.messageId),
    userMessageId: text(value.userMessageId),
    model: text(value.model),
    ...(typeof value.title === 'string' && { title: value.title }),
  }
}

function toFinishReason(value: unknown): DoneEvent['finishReason'] {
  return value === 'length' || value === 'stopped' || value === 'error' ? value : 'stop'
}

function toUsage(value: unknown): Usage {
  const usage = isRecord(value) ? value : {}
  return {
    inputTokens: count(usage.inputTokens),
    outputTokens: count(usage.outputTokens),
    estimated: usage.estimated === true,
  }
}

function toCredits(value: unknown): DoneEvent['credits'] {
  const credits = isRecord(value) ? value : {}
  return { charged: count(credits.charged), remaining: count(credits.remaining) }
}

function parseObject(data: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(data)
    return isRecord(value) ? value : null
  } catch {
    // An invalid line still counts as a number, so that the text after it continues.
    return null
  }
}

const isUsedMemory = (value: unknown): value is UsedMemory =>
  isRecord(value) && typeof value.id === 'string' && typeof value.text === 'string'
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const text = (value: unknown) => (typeof value === 'string' ? value : '')
const count = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : 0)
