import type { StreamEvent, ToolCall } from '@parley/contracts'

/** The tool calls that an answer's events tell of, in the order they began. @param at when the answer was begun */
export function toolCallsOf(events: readonly StreamEvent[], at: Date): ToolCall[] {
  const calls = new Map<string, ToolCall>()
  for (const event of events) {
    if ('tool_call_start' in event) {
      const call = event.tool_call_start
      calls.set(call.toolCallId, { ...call, status: 'running', timestamp: at.toISOString() })
    } else if ('tool_call_result' in event) {
      const { toolCallId, result, resultNormalized } = event.tool_call_result
      complete(calls, toolCallId, { status: 'completed', result, resultNormalized })
    } else if ('tool_call_error' in event) {
      const { toolCallId, error } = event.tool_call_error
      complete(calls, toolCallId, { status: 'error', error })
    }
  }
  return [...calls.values()]
}

function complete(calls: Map<string, ToolCall>, id: string, end: Partial<ToolCall>): void {
  const call = calls.get(id)
  if (call !== undefined) calls.set(id, { ...call, ...end })
}
