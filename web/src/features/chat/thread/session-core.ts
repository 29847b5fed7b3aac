import type { Attachment, ChatDetail, ChatMode, Feedback, GuestSession, SendBody } from '@parley/contracts'
import type { StoreApi } from 'zustand/vanilla'
import type { Live } from '../../../shared/live/live.ts'
import type { AnswerStep } from '../stream/answer-event.ts'
import type { Schedule } from '../stream/frame-batch.ts'
import type { AnswerEnd, AnswerRequest } from '../stream/read-answer.ts'
import type { GuestThread } from './guest-thread.ts'
import type { ThreadMessage } from './thread-message.ts'
import type { ThreadState } from './thread-state.ts'

/** What one chat needs of the world. Calls reject with ApiError. */
export interface ChatSessionDeps<Session = unknown> {
  /** Reads an answer to its end, over streams of this tab's own. */
  readonly readAnswer: (request: AnswerRequest, signal: AbortSignal) => AsyncGenerator<AnswerStep, AnswerEnd>
  /** A page of a chat: the latest messages, or those at a place. */
  readonly readPage: (chatId: string, at?: PagePosition) => Promise<ChatDetail>
  /** The chat in which the server keeps a message with this id that it failed to answer. */
  readonly findChat: (clientMessageId: string) => Promise<string | null>
  /** By the id of the answer, or the `clientMessageId` of what it answers. */
  readonly stopGeneration: (id: string) => Promise<unknown>
  readonly showPath: (chatId: string, messageId: string) => Promise<unknown>
  readonly rateAnswer: (chatId: string, rating: Rating) => Promise<unknown>
  readonly images: ImageCalls
  /** The socket; `requestState` asks for a snapshot of a chat. */
  readonly live: Pick<Live, 'isLive' | 'requestState' | 'on'>
  readonly createId: () => string
  readonly now: () => number
  readonly schedule: Schedule
  readonly isGuest: () => boolean
  readonly guestThread: { read(): GuestThread | null; write(thread: GuestThread): void }
  readonly events: ChatSessionEvents<Session>
}

/** Messages before one, or with one in their middle. */
type PagePosition = { readonly before: string } | { readonly around: string }

/** What a reader thinks of a message; a null rating takes it back. */
export interface Rating {
  readonly messageId: string
  readonly rating: Feedback['rating'] | null
  readonly reason?: string
}

/** The calls that making an image takes. */
export interface ImageCalls {
  /** Makes an empty chat with the title of its first message; answers its id. */
  readonly createChat: (firstMessage: string, model: string) => Promise<string>
  readonly make: (body: ImageRequest, signal: AbortSignal) => Promise<MadeImage>
  /** Saves the messages, where the person wants that. */
  readonly save: (chatId: string, messages: readonly ThreadMessage[], model: string) => Promise<unknown>
}

/** An image to be made in a chat, or another version of one there; the installation's image model unless one is named. */
export interface ImageRequest {
  readonly prompt: string
  readonly chatId: string
  readonly clientMessageId: string
  readonly model?: string
  readonly regenerateMessageId?: string
}

/** An image as the server made it; the ids are those of its two messages. */
export interface MadeImage {
  readonly imageUrl: string
  readonly model: string
  readonly creditsCharged: number
  readonly userMessageId?: string | undefined
  readonly messageId?: string | undefined
}

/** What a chat reports to the page around it. */
export interface ChatSessionEvents<Session = unknown> {
  /** The first message of a new chat is stored. */
  created(session: Session, chatId: string): void
  guest(guest: GuestSession): void
  /** An answer began, in words for those who do not see it. */
  started(): void
  ended(end: AnswerEnd, session: Session): void
  stopFailed(error: unknown): void
  /** Showing another version, rating an answer, going to another place of the thread or continuing an answer was refused or failed. */
  actionFailed(action: 'show' | 'rate' | 'go' | 'continue', error: unknown): void
}

/** What becomes of a text: taken, or not because it is blank, repeated or an answer is still running. */
export type SendResult = 'sent' | 'blank' | 'duplicate' | 'busy'

/** What a message carries besides its text; `force` sends a text that was sent a moment ago. */
export interface SendOptions {
  readonly attachments?: readonly Attachment[]
  readonly modes?: readonly ChatMode[]
  readonly force?: boolean
}

/** What the parts of a session share. */
export interface SessionCore {
  readonly deps: ChatSessionDeps
  readonly store: StoreApi<ThreadState>
  readonly change: (next: (state: ThreadState) => ThreadState) => void
  /** Reads an answer over a stream of this tab's own; the row that shows it has to be there. */
  readonly follow: (request: AnswerRequest) => void
  /** Stops reading without a word about it in the thread. */
  readonly release: () => void
  /** Takes the latest messages from the server, whatever is shown; not while this tab reads an answer itself. */
  readonly reload: () => Promise<void>
  /** Has the latest messages taken once the answer that this tab reads has ended. */
  readonly reloadLater: () => void
  /** Leaves the page around a message, if one is shown, for the end of the thread, whose messages come later. */
  readonly toEnd: () => void
  /** The new chat got its id. */
  readonly created: (chatId: string) => void
  /** An answer ended. */
  readonly ended: (end: AnswerEnd) => void
}

/** The modes as the call names them. */
export function modeFlags(modes: readonly ChatMode[]): Partial<SendBody> {
  return {
    ...(modes.includes('webSearch') && { webSearchEnabled: true }),
    ...(modes.includes('study') && { studyModeEnabled: true }),
    ...(modes.includes('finance') && { financeModeEnabled: true }),
  }
}
