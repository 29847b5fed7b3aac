import type { Usage } from '@parley/contracts'
import type { Prompt, ProviderEvent } from '../adapters/adapter.ts'
import { countPrompt } from './count-prompt.ts'
import { countTokens } from './count-tokens.ts'

/** Keeps count of what an answer used. */
export interface UsageTally {
  add(event: ProviderEvent): void
  /** The provider's figures of a complete answer, else what is counted here, flagged. */
  total(complete: boolean): Promise<Usage>
}

/** @param prompt for the case that the provider does not say what it read */
export function createUsageTally(prompt: Prompt): UsageTally {
  const pieces: string[] = []
  let inputTokens: number | undefined
  let outputTokens: number | undefined
  return {
    add(event) {
      if (event.type === 'text' || event.type === 'reasoning') pieces.push(event.text)
      if (event.type === 'tool') pieces.push(event.call.name, event.call.arguments)
      if (event.type !== 'usage') return
      inputTokens = event.inputTokens ?? inputTokens
      outputTokens = event.outputTokens ?? outputTokens
    },
    async total(complete) {
      if (complete && inputTokens !== undefined && outputTokens !== undefined) {
        return { inputTokens, outputTokens, estimated: false }
      }
      return {
        inputTokens: inputTokens ?? (await countPrompt(prompt)),
        // A figure of an answer that broke off may be of its beginning only.
        outputTokens: (complete ? outputTokens : undefined) ?? (await countTokens(pieces.join(''))),
        estimated: true,
      }
    },
  }
}
