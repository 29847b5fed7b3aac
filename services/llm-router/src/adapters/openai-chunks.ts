import { createHash } from 'node:crypto'
import { z } from 'zod'
import {
  type Finish,
  maxTokensOf,
  type Prompt,
  type PromptOptions,
  type ProviderEvent,
  type Target,
  temperatureOf,
} from './adapter.ts'
import { readStream } from './event-stream.ts'
import { openaiMessage, openaiTool } from './openai-messages.ts'
import { tokenCount } from './token-count.ts'
import { createCallCollector } from './tool-calls.ts'

const callSchema = z.object({
  index: z.number().int().nullish(),
  id: z.string().nullish(),
  function: z
    .object({
      name: z.string().nullish(),
      // Some servers send a parsed object instead of text.
      arguments: z
        .union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))])
        .nullish(),
    })
    .nullish(),
})
const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            reasoning_content: z.string().nullish(),
            reasoning: z.string().nullish(),
            tool_calls: z.array(callSchema).nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .object({
      prompt_tokens: tokenCount,
      completion_tokens: tokenCount,
      // Invalid details are no reason to lose an answer.
      prompt_tokens_details: z.object({ cached_tokens: tokenCount }).nullish().catch(undefined),
    })
    .nullish(),
  error: z.unknown().optional(),
})

/** The body of a streamed chat completion for OpenAI-compatible providers. */
export function chatBody(target: Target, { messages, tools, options = {} }: Prompt) {
  // OpenAI's reasoning models refuse the older name, and other providers know only that.
  const limit = target.provider === 'openai' ? 'max_completion_tokens' : 'max_tokens'
  return {
    model: target.apiModelName,
    messages: messages.map(openaiMessage),
    ...(tools.length > 0 && { tools: tools.map(openaiTool), ...toolWishes(options) }),
    ...wishes(options),
    [limit]: maxTokensOf(target, options),
    ...(options.temperature === undefined ? temperatureOf(target) : { temperature: options.temperature }),
    stream: true as const,
    stream_options: { include_usage: true },
  }
}

function toolWishes({ toolChoice, parallelToolCalls }: PromptOptions) {
  return {
    ...(toolChoice !== undefined && {
      tool_choice:
        typeof toolChoice === 'string'
          ? toolChoice
          : { type: 'function' as const, function: { name: toolChoice.name } },
    }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  }
}

function wishes({ topP, stop, format, effort, seed, user }: PromptOptions) {
  return {
    ...(topP !== undefined && { top_p: topP }),
    ...(stop !== undefined && { stop: [...stop] }),
    ...(seed !== undefined && { seed }),
    ...(user !== undefined && { user: userOf(user) }),
    ...(effort !== undefined && { reasoning_effort: effort }),
    ...(format === 'json' && { response_format: { type: 'json_object' as const } }),
    ...(typeof format === 'object' && {
      response_format: { type: 'json_schema' as const, json_schema: { ...format } },
    }),
  }
}

/** OpenAI refuses longer names, such as those that Claude Code sends. */
const longestUser = 64
const userOf = (user: string): string =>
  user.length > longestUser ? createHash('sha256').update(user).digest('hex') : user

/** Converts the chunks of one answer, in order. @throws Error for an invalid chunk or one that reports an error */
export function createChunkReader(): (raw: unknown) => readonly ProviderEvent[] {
  const calls = createCallCollector()
  return (raw) => {
    const chunk = chunkSchema.parse(raw)
    if (chunk.error) throw new Error('The provider reported an error inside the stream')
    const events: ProviderEvent[] = []
    const choice = chunk.choices?.[0]
    const reasoning = choice?.delta?.reasoning_content ?? choice?.delta?.reasoning
    if (reasoning) events.push({ type: 'reasoning', text: reasoning })
    if (choice?.delta?.content) events.push({ type: 'text', text: choice.delta.content })
    for (const part of choice?.delta?.tool_calls ?? []) {
      events.push(calls.add({ index: part.index, id: part.id, ...part.function }))
    }
    if (chunk.usage) {
      const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = chunk.usage
      events.push({
        type: 'usage',
        inputTokens: input,
        cachedTokens: details?.cached_tokens,
        outputTokens: output,
      })
    }
    if (choice?.finish_reason) events.push(...calls.finish(finishOf(choice.finish_reason)))
    return events
  }
}

/** The events of a streamed chat completion, batched as by `readStream`. */
export function readCompletion(body: AsyncIterable<Uint8Array> | null): ReturnType<typeof readStream> {
  const readChunk = createChunkReader()
  return readStream(body, (data) => (data === '[DONE]' ? undefined : readChunk(JSON.parse(data))))
}

const finishOf = (reason: string): Finish =>
  reason === 'length' || reason === 'tool_calls' || reason === 'content_filter' ? reason : 'stop'
