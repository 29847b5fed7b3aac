import { type StreamEvent, streamEventSchema } from '@parley/contracts'

/** An event as its line in the stream. Its keys are put in the contract's order, those of tools by name: a document store may give them back in another one. */
export const eventLine = (event: StreamEvent): string => JSON.stringify(ordered(streamEventSchema.parse(event)))

function ordered(event: StreamEvent): StreamEvent {
  if ('tool_call_start' in event) {
    const { toolName, toolCallId, parameters } = event.tool_call_start
    return { tool_call_start: { toolName, toolCallId, parameters: byName(parameters) as typeof parameters } }
  }
  if ('tool_call_result' in event) {
    const { toolName, toolCallId, result, resultNormalized } = event.tool_call_result
    return { tool_call_result: { toolName, toolCallId, result: byName(result), resultNormalized } }
  }
  return event
}

function byName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(byName)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, byName(each)] as const)
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}
