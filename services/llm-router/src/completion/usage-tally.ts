import type { PromptMessage, Usage } from '@parley/contracts'
import type { ProviderEvent } from '../adapters/adapter.ts'
import { countTokens } from './count-tokens.ts'

/** Tokens that a message's role and frame cost beyond its text. */
const messageOverhead = 4

/** Keeps count of what an answer used. */
export interface UsageTally {
  add(event: ProviderEvent): void
  /** The provider's figures of a complete answer, else what is counted here, flagged. */
  total(complete: boolean): Promise<Usage>
}

/** @param messages the prompt, for the case that the provider does not say what it read */
export function createUsageTally(messages: readonly PromptMessage[]): UsageTally {
  const pieces: string[] = []
  let inputTokens: number | undefined
  let outputTokens: number | undefined
  return {
    add(event) {
      if (event.type === 'text' || event.type === 'reasoning') pieces.push(event.text)
      if (event.type !== 'usage') return
      inputTokens = event.inputTokens ?? inputTokens
      outputTokens = event.outputTokens ?? outputTokens
    },
    async total(complete) {
      if (complete && inputTokens !== undefined && outputTokens !== undefined) {
        return { inputTokens, outputTokens, estimated: false }
      }
      return {
        inputTokens: inputTokens ?? (await countPrompt(messages)),
        // A figure of an answer that broke off may be of its beginning only.
        outputTokens: (complete ? outputTokens : undefined) ?? (await countTokens(pieces.join(''))),
        estimated: true,
      }
    },
  }
}

async function countPrompt(messages: readonly PromptMessage[]): Promise<number> {
  const counts = await Promise.all(messages.map((message) => countTokens(message.content)))
  return counts.reduce((sum, count) => sum + count + messageOverhead, 0)
}
