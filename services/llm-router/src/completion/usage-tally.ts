import type { Usage } from '@parley/contracts'
import type { Prompt, ProviderEvent } from '../adapters/adapter.ts'
import { countPrompt } from './count-prompt.ts'
import { countTokens } from './count-tokens.ts'

/** Counts an answer's usage. @param prompt for estimating the input when the provider gives no figures */
export function createUsageTally(prompt: Prompt) {
  const pieces: string[] = []
  let inputTokens: number | undefined
  let outputTokens: number | undefined
  return {
    add(event: ProviderEvent): void {
      if (event.type === 'text' || event.type === 'reasoning') pieces.push(event.text)
      if (event.type === 'tool') pieces.push(event.call.name, event.call.arguments)
      if (event.type !== 'usage') return
      inputTokens = event.inputTokens ?? inputTokens
      outputTokens = event.outputTokens ?? outputTokens
    },
    /** The provider's figures for a complete answer; otherwise estimates, marked as such. */
    async total(complete: boolean): Promise<Usage> {
      if (complete && inputTokens !== undefined && outputTokens !== undefined) {
        return { inputTokens, outputTokens, estimated: false }
      }
      return {
        inputTokens: inputTokens ?? (await countPrompt(prompt)),
        // The figures of an answer that was cut off may cover only its beginning.
        outputTokens: (complete ? outputTokens : undefined) ?? (await countTokens([pieces.join('')])),
        estimated: true,
      }
    },
  }
}
