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

/** Tells one connection of one entry of an answer's log. */
export type Told = (connection: Pick<Connection, 'tell'>) => void

const say =
  <E extends ServerEvent>(event: E, payload: ServerPayload<E>): Told =>
  (connection) =>
    connection.tell(event, payload)

/** Turns the entries of one answer's log, from the first one on, into what sockets are told. */
export interface Teller {
  /**
   * Every entry but the last ones has its `seq` told, so that a gap can be seen: what a socket has no event for is a delta without a text.
   * Undefined for `[DONE]`, and for a line that is no event.
   */
  told(seq: number, line: string): Told | undefined
}

/** Remembers the tool calls and search results so far, which are told whole. @param at when it is read; a call has this time */
export function createTeller(answer: { readonly chatId: string; readonly messageId: string }, at: () => Date): Teller {
  const calls = new Map<string, ToolCall>()
  let results: SearchResult[] = []
  const toolCall = (event: StreamEvent): ToolCall | undefined => {
    const call = nextState(event, calls, at)
    if (call !== undefined) calls.set(call.toolCallId, call)
    return call
  }
  return {
    told(seq, line) {
      const event = line === streamEnd ? undefined : parse(line)
      if (event === undefined) return undefined
      if ('done' in event) {
        return say('stream:done', { ...answer, finishReason: event.finishReason, usage: event.usage })
      }
      if ('error' in event) return say('stream:done', { ...answer, finishReason: 'error', usage: null })
      if ('text' in event) return say('stream:delta', { ...answer, seq, text: event.text })
      if ('reasoning' in event) return say('stream:delta', { ...answer, seq, reasoning: event.reasoning })
      if ('web_search_url' in event) {
        results = [...results, { url: event.web_search_url, title: event.title, domain: event.domain }]
        return say('stream:websearch', { ...answer, seq, results })
      }
      const call = toolCall(event)
      return call === undefined
        ? say('stream:delta', { ...answer, seq })
        : say('stream:tool', { ...answer, seq, toolCall: call })
    },
  }
}

function parse(line: string): StreamEvent | undefined {
  try {
    return streamEventSchema.safeParse(JSON.parse(line)).data
  } catch {
    // A line that is no JSON is nothing that could be told.
    return undefined
  }
}

/** A tool's call as it stands after an event; undefined for events of other things. */
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
