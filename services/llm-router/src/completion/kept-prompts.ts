import type { CompletionBody, PromptMessage } from '@parley/contracts'
import { AppError } from '@parley/kit'

/** Prompts of answers that called tools, so that their files need not be sent again together with the tool results. */
export type KeptPrompts = ReturnType<typeof createKeptPrompts>

/** Bounds on kept prompts. */
export interface KeptPromptLimits {
  /** Total of all prompts; a character takes one or two bytes. */
  readonly characters: number
  /** Longer than tools take. */
  readonly ms: number
}

/** The default limits. */
const keptPromptLimits: KeptPromptLimits = { characters: 96 * 1024 * 1024, ms: 60_000 }

/** Starts empty; evicts the oldest prompts over the limit. @param now monotonic, in milliseconds */
export function createKeptPrompts(limits = keptPromptLimits, now: () => number = () => performance.now()) {
  const prompts = new Map<
    string,
    { readonly messages: PromptMessage[]; readonly length: number; readonly until: number }
  >()
  let characters = 0
  const release = (generationId: string): PromptMessage[] => {
    const prompt = prompts.get(generationId)
    if (prompt === undefined) return []
    prompts.delete(generationId)
    characters -= prompt.length
    return prompt.until > now() ? prompt.messages : []
  }
  return {
    /** The complete messages of a body; drops the generation's kept prompt. @throws AppError conflict when the prompt to continue is not kept here */
    whole(body: Pick<CompletionBody, 'generationId' | 'after' | 'messages'>): PromptMessage[] {
      const { generationId, after = 0, messages } = body
      const kept = release(generationId)
      if (after > kept.length) {
        throw new AppError('conflict', 'The earlier messages aren’t stored here. Please send the whole prompt.')
      }
      return [...kept.slice(0, after), ...messages]
    },
    /** Keeps a prompt, replacing the generation's last one. Resolves to false for one that is too large. */
    keep(generationId: string, messages: PromptMessage[]): boolean {
      release(generationId)
      const length = messages.reduce((sum, message) => sum + lengthOf(message), 0)
      if (length > limits.characters) return false
      prompts.set(generationId, { messages, length, until: now() + limits.ms })
      characters += length
      for (const [id, { until }] of prompts) {
        if (characters <= limits.characters && until > now()) break
        release(id)
      }
      return true
    },
  }
}

function lengthOf(message: PromptMessage): number {
  const { content } = message
  if (typeof content === 'string') return content.length
  return content.reduce((sum, part) => sum + (part.type === 'text' ? part.text : part.data).length, 0)
}
