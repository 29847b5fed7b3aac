import type { ChatSession } from '../thread/session/chat-session.ts'
import type { ThreadMessage } from '../thread/state/thread-message.ts'

/** An answer of the thread with what surrounds it. */
export interface AnswerProps {
  readonly session: ChatSession
  readonly message: ThreadMessage
  readonly guest: boolean
  /** The question, which describes the generated images. */
  readonly question: string
  /** Null while unknown. */
  readonly questionId: string | null
}
