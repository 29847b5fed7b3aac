import type { ModelInfo, PromptMessage } from '@parley/contracts'
import { cleanText } from './text/clean-text.ts'
import { estimateTokens } from './text/estimate-tokens.ts'

/** What is sent to the model, and about how many tokens that is. */
export interface Prompt {
  readonly messages: readonly PromptMessage[]
  readonly tokens: number
}

/** One turn of a conversation, oldest first. */
export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** Used while the settings name none. */
export const builtInSystemPrompt =
  'You are Parley, a helpful assistant. Answer in the language of the user, plainly and to the point. ' +
  'Use Markdown where it helps reading, put code in fenced blocks with their language, and say so when you do not know something.'

/** What a role name and the like costs in tokens. */
const perMessage = 4

/**
 * Puts together the system prompt and as many of the latest turns as the model's context holds beside its answer. The last turn, the question,
 * is always kept; user turns are cleaned.
 */
export function buildPrompt(
  systemPrompt: string,
  turns: readonly Turn[],
  model: Pick<ModelInfo, 'contextLength' | 'maxTokens'>,
): Prompt {
  const system: PromptMessage = {
    role: 'system',
    content: systemPrompt.trim() === '' ? builtInSystemPrompt : systemPrompt,
  }
  const forAnswer = Math.min(model.maxTokens, Math.floor(model.contextLength / 2))
  let tokens = cost(system)
  const kept: PromptMessage[] = []
  for (const turn of turns.toReversed()) {
    const message = turn.role === 'user' ? { ...turn, content: cleanText(turn.content) } : turn
    if (kept.length > 0 && tokens + cost(message) > model.contextLength - forAnswer) break
    tokens += cost(message)
    kept.push(message)
  }
  // Some providers refuse a conversation that begins with an answer.
  while (kept.at(-1)?.role === 'assistant') tokens -= cost(kept.pop())
  return { messages: [system, ...kept.reverse()], tokens }
}

const cost = (message: PromptMessage | undefined): number =>
  message === undefined ? 0 : perMessage + estimateTokens(message.content.length)
