import type { PromptMessage } from '@parley/contracts'
import { z } from 'zod'
import { type ProviderEvent, type Target, temperatureOf } from './adapter.ts'

const count = z.number().int().min(0).nullish()
const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            reasoning_content: z.string().nullish(),
            reasoning: z.string().nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish(),
  error: z.unknown().optional(),
})

/** The body of a streamed chat completion, as everybody of OpenAI's kind takes it. */
export function chatBody(target: Target, messages: readonly PromptMessage[]) {
  // OpenAI's own models that reason refuse the older name, which others know alone.
  const limit = target.provider === 'openai' ? 'max_completion_tokens' : 'max_tokens'
  return {
    model: target.apiModelName,
    messages: messages.map(({ role, content }) => ({ role, content })),
    [limit]: target.maxTokens,
    ...temperatureOf(target),
    stream: true as const,
    stream_options: { include_usage: true },
  }
}

/** The events of one chunk. @throws Error when it reports an error or is no chunk */
export function readChunk(raw: unknown): readonly ProviderEvent[] {
  const chunk = chunkSchema.parse(raw)
  if (chunk.error) throw new Error('The provider reported an error inside the stream')
  const events: ProviderEvent[] = []
  const choice = chunk.choices?.[0]
  const reasoning = choice?.delta?.reasoning_content ?? choice?.delta?.reasoning
  if (reasoning) events.push({ type: 'reasoning', text: reasoning })
  if (choice?.delta?.content) events.push({ type: 'text', text: choice.delta.content })
  if (chunk.usage) {
    const { prompt_tokens: input, completion_tokens: output } = chunk.usage
    events.push({ type: 'usage', inputTokens: input ?? undefined, outputTokens: output ?? undefined })
  }
  if (choice?.finish_reason)
    events.push({ type: 'finish', reason: choice.finish_reason === 'length' ? 'length' : 'stop' })
  return events
}
