import {
  type SearchResult,
  type ServerEvent,
  type ServerPayload,
  type StreamEvent,
  streamEnd,
  streamEventSchema,
  type ToolCall,
} from '@parley/contracts'
import type { Connection } from '../sockets/connection.ts'

/** Sends one log entry of an answer to one connection. */
export type Emission = (connection: Pick<Connection, 'emit'>) => void

const emission =
  <E extends ServerEvent>(event: E, payload: ServerPayload<E>): Emission =>
  (connection) =>
    connection.emit(event, payload)

/**
 * Maps the log entries of one answer, starting with the first, to socket events. Accumulates tool calls and search results, which are always sent in full.
 * @param at the time given to a tool call
 */
export function createEventMapper(answer: { readonly chatId: string; readonly messageId: string }, at: () => Date) {
  const calls = new Map<string, ToolCall>()
  let results: SearchResult[] = []
  const toolCall = (event: StreamEvent): ToolCall | undefined => {
    const call = nextState(event, calls, at)
    if (call !== undefined) calls.set(call.toolCallId, call)
    return call
  }
  const failed = (): Emission => emission('stream:done', { ...answer, finishReason: 'error', usage: null })
  return {
    /** The end of an answer that failed before its first entry. */
    failed,
    /**
     * Every entry except the final ones carries its `seq` to reveal gaps: an entry without a socket event becomes a delta without text.
     * Undefined for `[DONE]` and for malformed lines.
     */
    map(seq: number, line: string): Emission | undefined {
      const event = line === streamEnd ? undefined : parse(line)
      if (event === undefined) return undefined
      if ('done' in event) {
        return emission('stream:done', { ...answer, finishReason: event.finishReason, usage: event.usage })
      }
      if ('error' in event) return failed()
      if ('text' in event) return emission('stream:delta', { ...answer, seq, text: event.text })
      if ('reasoning' in event) return emission('stream:delta', { ...answer, seq, reasoning: event.reasoning })
      if ('web_search_url' in event) {
        results = [...results, { url: event.web_search_url, title: event.title, domain: event.domain }]
        return emission('stream:websearch', { ...answer, seq, results })
      }
      const call = toolCall(event)
      return call === undefined
        ? emission('stream:delta', { ...answer, seq })
        : emission('stream:tool', { ...answer, seq, toolCall: call })
    },
  }
}

function parse(line: string): StreamEvent | undefined {
  try {
    return streamEventSchema.safeParse(JSON.parse(line)).data
  } catch {
    // Not JSON.
    return undefined
  }
}

/** The state of a tool call after an event; undefined for other events. */
function nextState(event: StreamEvent, calls: ReadonlyMap<string, ToolCall>, at: () => Date): ToolCall | undefined {
  if ('tool_call_start' in event) {
    return { ...event.tool_call_start, status: 'running', timestamp: at().toISOString() }
  }
  if ('tool_call_result' in event) {
    const { toolCallId, toolName, result, resultNormalized } = event.tool_call_result
    const begun = calls.get(toolCallId) ?? unseen({ toolCallId, toolName }, at)
    return { ...begun, status: 'completed', result, resultNormalized }
  }
  if ('tool_call_error' in event) {
    const { toolCallId, toolName, error } = event.tool_call_error
    return { ...(calls.get(toolCallId) ?? unseen({ toolCallId, toolName }, at)), status: 'error', error }
  }
  return undefined
}

const unseen = (call: Pick<ToolCall, 'toolCallId' | 'toolName'>, at: () => Date) => ({
  ...call,
  parameters: {},
  timestamp: at().toISOString(),
})
