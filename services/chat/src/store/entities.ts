import type {
  Attachment,
  ChatMode,
  Feedback,
  GenerationOutcome,
  Message,
  SearchResult,
  StreamEvent,
  Usage,
} from '@parley/contracts'

/** A chat without its messages. */
export interface Chat {
  readonly id: string
  readonly ownerId: string
  readonly title: string
  readonly modelUsed: string
  readonly pinned: boolean
  /** It is listed apart, until a message is written in it. */
  readonly archived?: true
  /** No memories are used or found in it. */
  readonly memoryOff?: true
  readonly messageCount: number
  /** The last message of the version of the thread that is shown; null while there is none. */
  readonly leafId: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The fields of a thread's message that a user's has. */
type Typed = 'id' | 'chatId' | 'parentId' | 'content' | 'attachments' | 'modes' | 'clientMessageId' | 'createdAt'
/** A user's message, as it was typed. */
export interface UserMessage extends Pick<ThreadMessage, Typed> {
  readonly ownerId: string
  readonly model: string
}

/** A guest as an answer remembers it, to give the allowance back. */
export interface GuestOrigin {
  readonly sessionId: string
  readonly network: string
}

/** An ended generation of an answer that was continued; its id is that of its hold. */
export interface EndedGeneration {
  readonly id: string
  readonly model: string
  readonly ending: Ending
}

/** The latest generation of an answer that was continued. */
export interface Continued {
  /** The generation's id: that of its hold at billing and of its stream. */
  readonly id: string
  /** An ISO time. */
  readonly begunAt: string
  /** Where in the answer it begins: the lengths of the earlier content (in UTF-16 units), and the time spent on reasoning before. */
  readonly from: {
    readonly content: number
    readonly reasoning: number
    readonly events: number
    readonly reasoningMs: number
  }
  /** The answer's status before, which it keeps if this generation adds nothing. */
  readonly status: Message['status']
  readonly model: string
  /** The earlier generations, in order. */
  readonly earlier: readonly EndedGeneration[]
}

/** The content so far of an answer that is continued; its stream begins with it. */
export type Seed = Pick<Progress, 'content' | 'reasoning' | 'reasoningMs' | 'events' | 'search' | 'attachments'>

/** The properties that are fixed when an answer begins. */
export interface NewGeneration {
  /** The assistant message's id, which is also the hold's at billing unless the answer is continued. */
  readonly id: string
  readonly chatId: string
  readonly ownerId: string
  /** The user message that it answers. */
  readonly parentId: string
  /** The requested model. */
  readonly model: string
  /** Credits of that model. */
  readonly price: number
  /** Null for a user. */
  readonly guest: GuestOrigin | null
  /** Events that come before any text. */
  readonly opening: readonly StreamEvent[]
  readonly createdAt: Date
  /** When a guest's answer is forgotten; null keeps it. */
  readonly expiresAt: Date | null
  /** Null for the first generation of an answer. */
  readonly continued: Continued | null
}

/** A web search of an answer and its results. */
export interface WebSearch {
  readonly query: string
  readonly results: readonly SearchResult[]
}

/** Values of an answer that both engines store and read as they are: a new one is added here and in `detailsOf`, and nowhere else in the stores. */
export interface AnswerDetails {
  /** Events that come before any text. */
  readonly opening: readonly StreamEvent[]
  /** Credits that the answer will cost if it has text. */
  readonly price: number
  /** Estimate of the prompt. */
  readonly promptTokens: number
  /** Milliseconds from the first reasoning to the text, or to now without one; 0 without reasoning. */
  readonly reasoningMs: number
}

/** The details among other values, with defaults for those that are missing, as they are in answers of older versions. */
export const detailsOf = ({
  opening = [],
  price = 0,
  promptTokens = 0,
  reasoningMs = 0,
}: Partial<AnswerDetails>): AnswerDetails => ({ opening, price, promptTokens, reasoningMs })

/** The details that a thread shows. */
export type ShownDetails = Pick<AnswerDetails, 'reasoningMs'>

/** Those of a message; the defaults for a user's message. */
export const shownDetails = (from: Partial<AnswerDetails>): ShownDetails => ({
  reasoningMs: detailsOf(from).reasoningMs,
})

/** The state of an answer so far. */
export interface Progress extends AnswerDetails {
  readonly content: string
  readonly reasoning: string
  /** The streamed pieces in order, by their lengths in UTF-16 units: positive for text, negative for reasoning; 0 stands for the next of `events`. */
  readonly frames: readonly number[]
  /** Events of tools and searches, in order. */
  readonly events: readonly StreamEvent[]
  readonly search: WebSearch | null
  /** Images that it made. */
  readonly attachments: readonly Attachment[]
  /** The model that answers. */
  readonly model: string
}

/** The values of a progress but for its details, among others. */
export function progressValues(progress: Progress) {
  const { content, reasoning, frames, events, search, attachments, model } = progress
  return { content, reasoning, frames, events, search, attachments, model }
}

/** The end of an answer. */
export interface Ending {
  readonly outcome: GenerationOutcome
  readonly finishReason: 'stop' | 'length' | 'stopped' | 'error'
  readonly usage: Usage
  /** `remaining` is the balance as far as it is known. */
  readonly credits: { readonly charged: number; readonly remaining: number }
  /** The failure: a text for people and its code; null when there was none. */
  readonly failure: { readonly error: string; readonly code: string } | null
  /** For a refusal by a limit: how many it grants, and when it resets, as ISO time. */
  readonly limit?: { readonly limit: number; readonly resetAt: string }
  /** Set when a continuation added nothing: the status that the answer keeps. */
  readonly unchanged?: Message['status']
  readonly durationMs: number
}

/** Why an answer was asked to end. */
export type StopReason = 'user' | 'banned'

/** An assistant message with the whole state of its generation. */
export interface Generation extends Omit<NewGeneration, 'opening' | 'model' | 'price'>, Progress {
  readonly status: Message['status']
  readonly stop: StopReason | null
  /** The replica that makes it; meaningless once it ended. */
  readonly leaseOwner: string | null
  /** Null while it is generating. */
  readonly ending: Ending | null
}

/** A message as the thread shows it. */
export interface ThreadMessage extends ShownDetails {
  readonly id: string
  readonly chatId: string
  readonly role: 'user' | 'assistant'
  /** The message it answers; null for the first of a chat. */
  readonly parentId: string | null
  readonly status: Message['status']
  readonly content: string
  readonly reasoning: string
  readonly attachments: readonly Attachment[]
  /** For a user's message; empty for an answer. */
  readonly modes: readonly ChatMode[]
  /** Events of tools and searches of an answer, in order; empty for a user's message. */
  readonly events: readonly StreamEvent[]
  readonly search: WebSearch | null
  readonly feedback: Feedback | null
  readonly model: string | null
  readonly clientMessageId: string | null
  /** If the answer was continued, with the sums of all its generations. */
  readonly ending: Ending | null
  /** If the answer was continued: its ended generations that added something. */
  readonly generations?: readonly EndedGeneration[]
  /** If the answer is being continued: the running generation. */
  readonly generationId?: string
  readonly createdAt: Date
}

/** A sender's key for a message and the ids that were given to it. */
export interface Send {
  readonly id: string
  readonly ownerId: string
  readonly clientMessageId: string | null
  readonly idempotencyKey: string | null
  /** SHA-256 of what was asked. */
  readonly bodyHash: string
  readonly chatId: string
  readonly userMessageId: string
  /** The latest answer. */
  readonly messageId: string
  /** The user message's parent; null for the first of a chat. */
  readonly parentId: string | null
  readonly createdAt: Date
}
