import type { Attachment, ChatDetail, ChatMode, chatRoutes, GuestSession, SendBody } from '@parley/contracts'
import type { StoreApi } from 'zustand/vanilla'
import type { AnswerOf, BodyOf } from '../../../../shared/api/request.ts'
import type { Live } from '../../../../shared/live/live.ts'
import type { AnswerStep } from '../../stream/answer-event.ts'
import type { Schedule } from '../../stream/frame-batch.ts'
import type { AnswerEnd, AnswerRequest } from '../../stream/read-answer.ts'
import type { ThreadMessage } from '../state/thread-message.ts'
import type { ThreadState } from '../state/thread-state.ts'
import type { GuestThread } from './guest-thread.ts'

/** A chat's external dependencies. Calls reject with ApiError. */
export interface ChatSessionDeps<Session = unknown> {
  /** Id of the selected text model; null while none is usable. */
  readonly model: () => string | null
  /** Reads an answer to its end, over this tab's own streams. */
  readonly readAnswer: (request: AnswerRequest, signal: AbortSignal) => AsyncGenerator<AnswerStep, AnswerEnd>
  /** A page of a chat: the latest messages, or those at a position. */
  readonly readPage: (chatId: string, at?: PagePosition) => Promise<ChatDetail>
  /** The chat in which the server stored a message with this id that it failed to answer. */
  readonly findChat: (clientMessageId: string) => Promise<string | null>
  /** By the answer's id, or the `clientMessageId` of its question. */
  readonly stopGeneration: (id: string) => Promise<unknown>
  readonly showPath: (chatId: string, messageId: string) => Promise<unknown>
  readonly rateAnswer: (chatId: string, rating: BodyOf<typeof chatRoutes.rate>) => Promise<unknown>
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

export interface ImageCalls {
  /** Creates an empty chat titled by its first message; resolves to its id. */
  readonly createChat: (firstMessage: string, model: string) => Promise<string>
  readonly make: (body: BodyOf<typeof chatRoutes.image>, signal: AbortSignal) => Promise<MadeImage>
  /** Saves the messages if the user has chosen that. */
  readonly save: (chatId: string, messages: readonly ThreadMessage[], model: string) => Promise<unknown>
}

/** A generated image, with the ids of its two messages. */
export type MadeImage = AnswerOf<typeof chatRoutes.image>

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

/** The outcome of sending a text: accepted, or not because it is blank, repeated, or an answer is running or cannot be made. */
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
  readonly ended: (end: AnswerEnd) => void
}

export function modeFlags(modes: readonly ChatMode[]): Partial<SendBody> {
  return {
    ...(modes.includes('webSearch') && { webSearchEnabled: true }),
    ...(modes.includes('study') && { studyModeEnabled: true }),
    ...(modes.includes('finance') && { financeModeEnabled: true }),
  }
}
