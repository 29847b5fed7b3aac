import { z } from 'zod'
import { tokenCount } from './token-count.ts'

/** The usage of a message in Anthropic's format; invalid figures count as missing. */
export const anthropicUsageSchema = z
  .object({
    input_tokens: tokenCount,
    cache_creation_input_tokens: tokenCount,
    cache_read_input_tokens: tokenCount,
    output_tokens: tokenCount,
  })
  .nullish()
  .catch(undefined)
export type AnthropicUsage = z.infer<typeof anthropicUsageSchema>

/** All tokens of a prompt: Anthropic's own `input_tokens` exclude those written to its cache and those read from it. Undefined without figures. */
export const inputTokensOf = (usage: AnthropicUsage): number | undefined =>
  usage?.input_tokens === undefined
    ? undefined
    : usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0)

/** The figures of a stream so far: they are running totals, of which each event has some. */
export const mergedUsage = (before: AnthropicUsage, later: AnthropicUsage): AnthropicUsage => ({
  input_tokens: later?.input_tokens ?? before?.input_tokens,
  cache_creation_input_tokens: later?.cache_creation_input_tokens ?? before?.cache_creation_input_tokens,
  cache_read_input_tokens: later?.cache_read_input_tokens ?? before?.cache_read_input_tokens,
  output_tokens: later?.output_tokens ?? before?.output_tokens,
})
