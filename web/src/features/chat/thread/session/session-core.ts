import type { Attachment, ChatDetail, ChatMode, Feedback, GuestSession, SendBody } from '@parley/contracts'
import type { StoreApi } from 'zustand/vanilla'
import type { Live } from '../../../../shared/live/live.ts'
import type { AnswerStep } from '../../stream/answer-event.ts'
import type { Schedule } from '../../stream/frame-batch.ts'
import type { AnswerEnd, AnswerRequest } from '../../stream/read-answer.ts'
import type { ThreadMessage } from '../state/thread-message.ts'
import type { ThreadState } from '../state/thread-state.ts'
import type { GuestThread } from './guest-thread.ts'

/** A chat's external dependencies. Calls reject with ApiError. */
export interface ChatSessionDeps<Session = unknown> {
  /** Reads an answer to its end, over this tab's own streams. */
  readonly readAnswer: (request: AnswerRequest, signal: AbortSignal) => AsyncGenerator<AnswerStep, AnswerEnd>
  /** A page of a chat: the latest messages, or those at a position. */
  readonly readPage: (chatId: string, at?: PagePosition) => Promise<ChatDetail>
  /** The chat in which the server stored a message with this id that it failed to answer. */
  readonly findChat: (clientMessageId: string) => Promise<string | null>
  /** By the answer's id, or the `clientMessageId` of its question. */
  readonly stopGeneration: (id: string) => Promise<unknown>
  readonly showPath: (chatId: string, messageId: string) => Promise<unknown>
  readonly rateAnswer: (chatId: string, rating: Rating) => Promise<unknown>
  readonly images: ImageCalls
  /** The socket; `requestState` requests a snapshot of a chat. */
  readonly live: Pick<Live, 'isLive' | 'requestState' | 'mute' | 'on'>
  readonly createId: () => string
  readonly now: () => number
  readonly schedule: Schedule
  readonly isGuest: () => boolean
  readonly guestThread: { read(): GuestThread | null; write(thread: GuestThread): void }
  readonly events: ChatSessionEvents<Session>
}

/** Messages before one, or with one in the middle. */
type PagePosition = { readonly before: string } | { readonly around: string }

/** A rating of a message; null withdraws it. */
export interface Rating {
  readonly messageId: string
  readonly rating: Feedback['rating'] | null
  readonly reason?: string
}

/** The calls for image generation. */
export interface ImageCalls {
  /** Creates an empty chat titled by its first message; resolves to its id. */
  readonly createChat: (firstMessage: string, model: string) => Promise<string>
  readonly make: (body: ImageRequest, signal: AbortSignal) => Promise<MadeImage>
  /** Saves the messages if the user has chosen that. */
  readonly save: (chatId: string, messages: readonly ThreadMessage[], model: string) => Promise<unknown>
}

/** An image to generate in a chat, or another version of one; by default with the installation's image model. */
export interface ImageRequest {
  readonly prompt: string
  readonly chatId: string
  readonly clientMessageId: string
  readonly model?: string
  readonly regenerateMessageId?: string
}

/** A generated image, with the ids of its two messages. */
export interface MadeImage {
  readonly imageUrl: string
  readonly model: string
  readonly creditsCharged: number
  readonly userMessageId?: string | undefined
  readonly messageId?: string | undefined
}

/** A chat's reports to the surrounding page. */
export interface ChatSessionEvents<Session = unknown> {
  /** The first message of a new chat was stored. */
  created(session: Session, chatId: string): void
  guest(guest: GuestSession): void
  /** An answer has started, for announcement. */
  started(): void
  ended(end: AnswerEnd, session: Session): void
  stopFailed(error: unknown): void
  /** Switching versions, rating, scrolling or continuing was refused or failed. */
  actionFailed(action: 'show' | 'rate' | 'go' | 'continue', error: unknown): void
}

/** The outcome of sending a text: accepted, or not because it is blank, repeated, or an answer is running. */
export type SendResult = 'sent' | 'blank' | 'duplicate' | 'busy'

/** Options of a message besides its text; `force` sends a repeated text. */
export interface SendOptions {
  readonly attachments?: readonly Attachment[]
  readonly modes?: readonly ChatMode[]
  readonly force?: boolean
}

/** Shared by the parts of a session. */
export interface SessionCore {
  readonly deps: ChatSessionDeps
  readonly store: StoreApi<ThreadState>
  readonly change: (next: (state: ThreadState) => ThreadState) => void
  /** Reads an answer over this tab's own stream; its row must exist. */
  readonly follow: (request: AnswerRequest) => void
  /** Stops reading without a message in the thread. */
  readonly release: () => void
  /** Loads the latest messages, whatever is shown; not while this tab reads an answer itself. */
  readonly reload: () => Promise<void>
  /** Loads the latest messages once the answer that this tab reads has ended. */
  readonly reloadLater: () => void
  /** Leaves the page around a message, or a thread that failed to load, for the end of the thread, whose messages load later. */
  readonly toEnd: () => void
  /** The new chat has got its id. */
  readonly created: (chatId: string) => void
  /** An answer has ended. */
  readonly ended: (end: AnswerEnd) => void
}

/** The modes as request fields. */
export function modeFlags(modes: readonly ChatMode[]): Partial<SendBody> {
  return {
    ...(modes.includes('webSearch') && { webSearchEnabled: true }),
    ...(modes.includes('study') && { studyModeEnabled: true }),
    ...(modes.includes('finance') && { financeModeEnabled: true }),
  }
}
