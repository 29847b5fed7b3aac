import { bytesAtOnce, type MessageStore, type PathMessage } from '../store/message-store.ts'
import { cleanText } from '../text/clean-text.ts'
import { estimateTokens } from '../text/estimate-tokens.ts'
import type { PromptTurn } from './prompt.ts'

/** More turns than this are never looked at. */
export const maxTurns = 200

/**
 * Reads the turns up to a question, in parts and only as far as a model could read them: a chat may have many times the text.
 * @param contextLength tokens that the model can read
 * @returns the turns, oldest first, and the question; undefined when it is missing
 */
export async function readTurns(
  messages: Pick<MessageStore, 'path'>,
  chatId: string,
  questionId: string,
  contextLength: number,
) {
  const turns: PromptTurn[] = []
  let question: PathMessage | undefined
  let next: string | null = questionId
  let looked = 0
  let tokens = 0
  while (next !== null && looked < maxTurns && tokens <= contextLength) {
    const part: readonly PathMessage[] = await messages.path(chatId, next, maxTurns - looked, bytesAtOnce)
    question ??= part[0]
    const said = part.flatMap(turnOf)
    turns.push(...said)
    looked += part.length
    next = part.at(-1)?.parentId ?? null
    if (next !== null) tokens += said.reduce((sum, turn) => sum + tokensOf(turn), 0)
  }
  return { turns: turns.reverse(), question }
}

/** Without the reasoning, which no model is shown again. */
function turnOf({ role, content, attachments, status }: PathMessage): PromptTurn[] {
  const isSaid = status !== 'generating' && (content !== '' || attachments.length > 0)
  return isSaid ? [{ role, content, attachments }] : []
}

const tokensOf = ({ role, content }: PromptTurn): number =>
  estimateTokens((role === 'user' ? cleanText(content) : content).length)
