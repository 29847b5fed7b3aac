import type { StreamEvent } from '@parley/contracts'
import type { OutboxFields } from '@parley/db/mongo'
import { type Connection, type Model, Schema } from 'mongoose'
import type { Chat, Ending, GuestOrigin, Send, StopReason, ThreadMessage } from './documents.ts'

/** What a document of `messages` has of an answer's making. */
interface Making extends OutboxFields {
  readonly reasoning?: string
  readonly frames?: readonly number[]
  readonly opening?: readonly StreamEvent[]
  readonly price?: number
  readonly promptTokens?: number
  readonly reasoningMs?: number
  readonly guest?: GuestOrigin | null
  readonly ending?: Ending | null
  readonly stop?: StopReason | null
  readonly leaseOwner?: string | null
  /** By the server's clock; not there once it ended. */
  readonly leaseUntil?: Date
  /** There while a guest's allowance is not settled. */
  readonly settlementOpen?: true
  readonly expiresAt?: Date
}

/** A document of `messages`: what a user wrote, or an answer with its making, its lease and its event. */
export interface MessageDocument extends Making {
  readonly _id: string
  readonly chatId: string
  readonly ownerId: string
  readonly role: ThreadMessage['role']
  readonly parentId: string | null
  readonly status: ThreadMessage['status']
  readonly content: string
  readonly model: string
  readonly clientMessageId?: string
  readonly createdAt: Date
}

/** A question and its answer that are begun, for as long as it is not certain that they are among the messages. */
export interface PendingTurn {
  readonly answer: MessageDocument
  /** Null when it was kept before. */
  readonly question: MessageDocument | null
}

/** A document of `chats`. */
export interface ChatDocument extends Omit<Chat, 'id'> {
  readonly _id: string
  readonly deletedAt: Date | null
  /** Marks what one removal hid. */
  readonly removal?: string
  /** There once its messages are being deleted for good: it cannot be restored any more. */
  readonly purging?: true
  /** Counts the turns begun: who decides about one by what it read can tell that another came before it. */
  readonly turns: number
  readonly turn?: PendingTurn
}

/** A document of `sends`. A key is there when the sender gave one, together with its owner in one value, so that a sparse index holds it. */
export interface SendDocument extends Omit<Send, 'id'> {
  readonly _id: string
  readonly clientKey?: string
  readonly idempotencyOwnerKey?: string
}

/** A document of `guest_buckets`. */
export interface GuestBucketDocument {
  /** The bucket. */
  readonly _id: string
  readonly windowStart: Date
  readonly used: number
  /** Generations not yet settled. */
  readonly pending: readonly string[]
}

/** The collections of chat. */
export interface ChatModels {
  readonly chats: Model<ChatDocument>
  readonly messages: Model<MessageDocument>
  readonly sends: Model<SendDocument>
  readonly guests: Model<GuestBucketDocument>
}

const { Mixed } = Schema.Types
const text = { type: String }
const needed = { type: String, required: true }
const time = { type: Date }
const list = (type: unknown) => ({ type: [type], default: undefined })
/** Nothing is kept, asked or changed that is not named here; a value of another kind is refused. */
const options = { strict: 'throw', versionKey: false, minimize: false, id: false, _id: false } as const

const messageShape = {
  _id: needed,
  chatId: needed,
  ownerId: needed,
  role: needed,
  parentId: text,
  status: needed,
  content: text,
  model: text,
  clientMessageId: text,
  createdAt: time,
  reasoning: text,
  frames: list(Number),
  opening: list(Mixed),
  price: Number,
  promptTokens: Number,
  reasoningMs: Number,
  guest: Mixed,
  ending: Mixed,
  stop: text,
  leaseOwner: text,
  leaseUntil: time,
  settlementOpen: Boolean,
  expiresAt: time,
  outbox: list({ _id: false, id: String, event: String }),
  outboxAt: time,
}

const chatShape = {
  _id: needed,
  ownerId: needed,
  title: text,
  modelUsed: text,
  pinned: Boolean,
  messageCount: Number,
  createdAt: time,
  updatedAt: time,
  deletedAt: time,
  removal: text,
  purging: Boolean,
  turns: Number,
  turn: Mixed,
}

const sendShape = {
  _id: needed,
  ownerId: needed,
  clientMessageId: text,
  idempotencyKey: text,
  clientKey: text,
  idempotencyOwnerKey: text,
  bodyHash: text,
  chatId: text,
  userMessageId: text,
  messageId: text,
  parentId: text,
  createdAt: time,
}

const guestBucketShape = { _id: needed, windowStart: time, used: Number, pending: list(String) }

/** The models of a service's own connection. */
export function createChatModels(connection: Connection): ChatModels {
  const model = <Document>(name: string, shape: Record<string, unknown>): Model<Document> =>
    connection.model<Document>(name, new Schema<Document>(shape as never, options), name)
  return {
    chats: model('chats', chatShape),
    messages: model('messages', messageShape),
    sends: model('sends', sendShape),
    guests: model('guest_buckets', guestBucketShape),
  }
}
