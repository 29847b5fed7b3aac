import { createHash } from 'node:crypto'
import type { Adapter, Prompt, ProviderEvent } from './adapter.ts'

/** Maximum characters of a tool's name in OpenAI's format. */
const longestName = 64

/**
 * Sets an adapter's tools with longer names under shorter ones: also in earlier calls, and back in the answer. Anthropic's clients use such names for
 * tools of MCP servers.
 */
export const withShortNames =
  (adapter: Adapter): Adapter =>
  (target, prompt) => {
    const own = new Map<string, string>()
    const call = adapter(
      target,
      withTools(prompt, (named) => shortened(named, own)),
    )
    return own.size === 0 ? call : async (signal) => withOwnNames(await call(signal), own)
  }

/** Keeps the beginning and the end, which say the most. The same name in every request, so that the provider's cache of prompts stays valid. */
function shortened<T extends { readonly name: string }>(named: T, own: Map<string, string>): T {
  const long = named.name
  if (long.length <= longestName) return named
  const name = `${long.slice(0, 24)}_${createHash('sha256').update(long).digest('hex').slice(0, 8)}_${long.slice(-30)}`
  own.set(name, long)
  return { ...named, name }
}

/** Changes everything in a prompt that names a tool. */
function withTools(
  { messages, tools, options }: Prompt,
  change: <T extends { readonly name: string }>(named: T) => T,
): Prompt {
  const choice = options?.toolChoice
  return {
    messages: messages.map((message) =>
      message.role === 'assistant' && message.toolCalls
        ? { ...message, toolCalls: message.toolCalls.map(change) }
        : message,
    ),
    tools: tools.map(change),
    ...(options && { options: { ...options, toolChoice: typeof choice === 'object' ? change(choice) : choice } }),
  }
}

async function* withOwnNames(
  batches: AsyncIterable<readonly ProviderEvent[]>,
  own: ReadonlyMap<string, string>,
): AsyncGenerator<readonly ProviderEvent[]> {
  const restored = (event: ProviderEvent): ProviderEvent =>
    event.type === 'tool'
      ? { ...event, call: { ...event.call, name: own.get(event.call.name) ?? event.call.name } }
      : event
  for await (const events of batches) yield events.map(restored)
}
