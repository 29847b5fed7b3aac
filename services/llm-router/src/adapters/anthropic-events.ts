import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages'
import type { Finish, ProviderEvent, UsageEvent } from './adapter.ts'
import { type AnthropicUsage, anthropicUsageSchema, inputTokensOf, mergedUsage } from './anthropic-usage.ts'
import { createCallCollector } from './tool-calls.ts'

/** Converts the events of one answer, in order. @throws Error for excessive tool calls */
export function createEventReader(): (event: RawMessageStreamEvent) => ProviderEvent[] {
  const calls = createCallCollector()
  let usage: AnthropicUsage
  const readUsage = (told: unknown): UsageEvent => {
    usage = mergedUsage(usage, anthropicUsageSchema.parse(told))
    return {
      type: 'usage',
      inputTokens: inputTokensOf(usage),
      cachedTokens: usage?.cache_read_input_tokens,
      outputTokens: usage?.output_tokens,
    }
  }
  return (event) => {
    switch (event.type) {
      case 'message_start':
        // Its output is a first piece, from which the tokens of an answer that breaks off could not be told.
        return [readUsage({ ...event.message.usage, output_tokens: undefined })]
      case 'content_block_start': {
        const { index, content_block: block } = event
        return block.type === 'tool_use' ? [calls.add({ index, id: block.id, name: block.name })] : []
      }
      case 'content_block_delta':
        if (event.delta.type === 'text_delta') return [{ type: 'text', text: event.delta.text }]
        if (event.delta.type === 'input_json_delta')
          return [calls.add({ index: event.index, arguments: event.delta.partial_json })]
        return event.delta.type === 'thinking_delta' ? [{ type: 'reasoning', text: event.delta.thinking }] : []
      case 'message_delta':
        return [
          readUsage(event.usage),
          ...(event.delta.stop_reason ? calls.finish(finishOf(event.delta.stop_reason)) : []),
        ]
      default:
        return []
    }
  }
}

function finishOf(reason: string): Finish {
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'length'
  if (reason === 'refusal') return 'content_filter'
  return reason === 'tool_use' ? 'tool_calls' : 'stop'
}
