import type { PromptMessage } from '@parley/contracts'

/** The prompt that asks a model about a question and its answer, which are passed as data. @param excerptLength of each, in UTF-16 units */
export function exchangePrompt(
  instructions: string,
  question: string,
  answer: string,
  excerptLength: number,
): PromptMessage[] {
  const excerpt = (text: string) => text.slice(0, excerptLength).toWellFormed()
  return [
    { role: 'system', content: instructions },
    { role: 'user', content: JSON.stringify({ message: excerpt(question), answer: excerpt(answer) }) },
  ]
}
