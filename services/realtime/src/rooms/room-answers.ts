import type { Message } from '@parley/contracts'
import { type Answer, type AnswerDeps, followAnswer } from './answer.ts'
import type { ChatReader, ChatRef } from './chat-reader.ts'

interface RoomAnswersListener {
  /** Ends all reading. */
  readonly signal: AbortSignal
  readonly changed: (answer: Answer) => void
  /** The log ended early: the stored message has what it lacks. */
  readonly incomplete: (messageId: string) => void
}

/** The running answers of a chat, each read once for all members. Reads nothing until an answer is asked for. */
export function createRoomAnswers(
  deps: AnswerDeps & { readonly chats: ChatReader },
  chat: ChatRef,
  { signal, changed, incomplete }: RoomAnswersListener,
) {
  const answers = new Map<string, Answer>()
  const follow = (messageId: string, streamId: string): Answer =>
    followAnswer(deps, {
      chatId: chat.chatId,
      messageId,
      streamId,
      isMaking: () => deps.chats.isMaking(chat, streamId),
      signal,
      changed,
      ended(_answer, whole) {
        answers.delete(streamId)
        if (!whole) incomplete(messageId)
      },
    })
  /** Whether its events can still be read; false when that is unknown. */
  const hasLog = async (streamId: string): Promise<boolean> =>
    (await deps.streamLog.state(streamId).catch(() => undefined)) !== undefined
  return {
    /** The answer of a message, or of the generation that continues it; it is read from now on. */
    of(messageId: string, streamId = messageId): Answer {
      const answer = answers.get(streamId) ?? follow(messageId, streamId)
      answers.set(streamId, answer)
      return answer
    },
    hasLog,
    /** Ends the answer of a message that failed before its first event, which has no log that could say so. */
    async failUnbegun({ id, generationId = id, status }: Message): Promise<void> {
      const answer = answers.get(generationId)
      if (answer === undefined || status === 'complete' || (await hasLog(generationId))) return
      answer.fail()
    },
  }
}
