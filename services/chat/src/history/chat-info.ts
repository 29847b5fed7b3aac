import type { ChatInfo } from '@parley/contracts'
import type { OutlineEntry } from '../store/message-store.ts'

/** Counts the messages and tokens of a chat, of all its versions. */
export function countChat(chatId: string, outline: readonly OutlineEntry[]): ChatInfo {
  const answers = outline.filter(({ role }) => role === 'assistant')
  const usages = answers.flatMap(({ usage }) => usage ?? [])
  const sum = (side: 'inputTokens' | 'outputTokens'): number => usages.reduce((total, usage) => total + usage[side], 0)
  const [input, output] = [sum('inputTokens'), sum('outputTokens')]
  const count = outline.length
  return {
    chatId,
    messages: { total: count, user: count - answers.length, assistant: answers.length },
    averageTokensPerMessage: count === 0 ? 0 : Math.round(((input + output) / count) * 10) / 10,
    tokens: { input, output, total: input + output },
    tokensAccurate: !usages.some(({ estimated }) => estimated),
    textModel: answers.findLast((answer) => !isImage(answer))?.model ?? null,
    imageModel: answers.findLast(isImage)?.model ?? null,
  }
}

/** Made by an image model, for which no tokens are counted. */
const isImage = ({ hasAttachments, usage }: OutlineEntry): boolean =>
  hasAttachments && (usage === null || usage.inputTokens + usage.outputTokens === 0)
