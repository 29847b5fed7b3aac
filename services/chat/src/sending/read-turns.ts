import { bytesAtOnce, type MessageStore, type PathMessage } from '../store/message-store.ts'
import { cleanText } from '../text/clean-text.ts'
import { estimateTokens } from '../text/estimate-tokens.ts'
import type { PromptTurn } from './prompt.ts'

/** More turns than this are never looked at. */
export const maxTurns = 200

/**
 * Reads the turns up to a question, in parts and only as far as a model could read them: a chat may have many times the text.
 * @param lastId the question; of an answer, as imported chats have several in a row, the question before it, since not every model goes on behind an answer
 * @param contextLength tokens that the model can read
 * @returns the turns, oldest first, and the question; undefined when it is missing
 */
export async function readTurns(
  messages: Pick<MessageStore, 'path'>,
  chatId: string,
  lastId: string,
  contextLength: number,
) {
  const turns: PromptTurn[] = []
  let question: PathMessage | undefined
  let next: string | null = lastId
  let looked = 0
  let tokens = 0
  while (next !== null && looked < maxTurns && tokens <= contextLength) {
    const part: readonly PathMessage[] = await messages.path(chatId, next, maxTurns - looked, bytesAtOnce)
    const from = question === undefined ? part.findIndex(({ role }) => role === 'user') : 0
    question ??= part[from]
    const said = from === -1 ? [] : part.slice(from).flatMap(turnOf)
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
