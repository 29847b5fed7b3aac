import type { Attachment, ChatMode, Feedback, StreamEvent } from '@parley/contracts'
import type { OutboxFields } from '@parley/db/mongo'
import { type Connection, type Model, Schema } from 'mongoose'
import type { Segment } from '../../search/search-text.ts'
import {
  type AnswerDetails,
  type Chat,
  type Continued,
  detailsOf,
  type Ending,
  type GuestOrigin,
  type Send,
  type StopReason,
  type ThreadMessage,
  type WebSearch,
} from '../entities.ts'
import type { FileMeta } from '../file-store.ts'

/** The part of a document of `messages` that belongs to an answer's generation. */
interface GenerationFields extends OutboxFields, Partial<AnswerDetails> {
  readonly reasoning?: string
  readonly frames?: readonly number[]
  readonly events?: readonly StreamEvent[]
  readonly search?: WebSearch | null
  readonly guest?: GuestOrigin | null
  readonly ending?: Ending | null
  readonly continued?: Continued
  readonly stop?: StopReason | null
  readonly leaseOwner?: string | null
  /** By the server's clock; absent once it ended. */
  readonly leaseUntil?: Date
  /** Set while a guest's allowance is not settled. */
  readonly settlementOpen?: true
  readonly expiresAt?: Date
}

/** A document of `messages`: what a user wrote, or an answer with its generation, its lease and its event. */
export interface MessageDocument extends GenerationFields {
  readonly _id: string
  readonly chatId: string
  readonly ownerId: string
  readonly role: ThreadMessage['role']
  readonly parentId: string | null
  readonly status: ThreadMessage['status']
  readonly content: string
  readonly model: string | null
  readonly attachments?: readonly Attachment[]
  readonly modes?: readonly ChatMode[]
  readonly feedback?: Feedback
  readonly clientMessageId?: string
  /** UTF-8 bytes of its text and reasoning, once it is finished; not of a guest's answer. */
  readonly bytes?: number
  readonly createdAt: Date
  /** When a version of the thread that ends here was last chosen to be shown. */
  readonly shownAt?: Date
  /** The owner, until the message is in a segment; a guest's answer is never searched. */
  readonly toSearch?: string
}

/** An addition to a chat, kept until it is certainly among the messages. */
export interface PendingTurn {
  /** Its last message: an answer that begins or, without its text, continues; or the last of the finished messages to be added. */
  readonly answer: MessageDocument
  /** The question; null when it was stored before. */
  readonly question: MessageDocument | null
  /** The preceding ones of several finished messages. */
  readonly earlier?: readonly MessageDocument[]
}

/** A document of `chats`. */
export interface ChatDocument extends Omit<Chat, 'id'> {
  readonly _id: string
  readonly deletedAt: Date | null
  /** Marks what one removal hid. */
  readonly removal?: string
  /** Set once its files are released and its messages deleted for good: it can no longer be restored. */
  readonly purging?: true
  /** The purge that deletes it, and until which time of removal: with another at once, what its owner imports again meanwhile would be deleted. */
  readonly purge?: { readonly id: string; readonly until: Date }
  /** Counts the turns begun, so that a decision made on what was read before can be refused if another turn came first. */
  readonly turns: number
  readonly turn?: PendingTurn
}

/** A document of `search_segments`. */
export interface SegmentDocument extends Segment {
  readonly _id: string
  readonly ownerId: string
  readonly chatId: string
}

/** A document of `sends`. A key is there when the sender gave one, together with its owner in one value, so that a sparse index holds it. */
export interface SendDocument extends Omit<Send, 'id'> {
  readonly _id: string
  readonly clientKey?: string
  readonly idempotencyOwnerKey?: string
}

/** A document of `owner_usage`. */
export interface UsageDocument {
  /** The owner. */
  readonly _id: string
  readonly chats: number
  readonly bytes: number
  /** Counts the additions, so that a recount can tell that something changed meanwhile. */
  readonly changes: number
  readonly recountAt?: Date
}

/** A document of `erased_owners`. */
export interface ErasedOwnerDocument {
  /** SHA-256 of the owner's id. */
  readonly _id: string
  readonly erasedAt: Date
}

/** A document of `files`, its bytes included. */
export interface FileDocument extends OutboxFields, Omit<FileMeta, 'id'> {
  readonly _id: string
  /** Owner and digest. */
  readonly digestKey: string
  readonly bytes: Buffer
  readonly thumb: Buffer | null
  readonly text: string | null
  /** While it is part of a chat it does not expire. */
  readonly chatIds: readonly string[]
  readonly expiresAt?: Date
  /** When it was last attached; absent once its chats were checked. */
  readonly attachedAt?: Date
}

/** The collections of chat. */
export interface ChatModels {
  readonly chats: Model<ChatDocument>
  readonly messages: Model<MessageDocument>
  readonly segments: Model<SegmentDocument>
  readonly sends: Model<SendDocument>
  readonly files: Model<FileDocument>
  readonly usage: Model<UsageDocument>
  readonly erased: Model<ErasedOwnerDocument>
}

const { Mixed } = Schema.Types
const text = { type: String }
const needed = { type: String, required: true }
const time = { type: Date }
const list = (type: unknown) => ({ type: [type], default: undefined })
/** Only fields named here can be stored, queried or changed; a value of another type is refused. */
const options = { strict: 'throw', versionKey: false, minimize: false, id: false, _id: false } as const

const shapeOf = (value: unknown) => {
  if (Array.isArray(value)) return list(Mixed)
  return typeof value === 'object' ? Mixed : Object(value).constructor
}
const detailShapes = Object.fromEntries(Object.entries(detailsOf({})).map(([name, value]) => [name, shapeOf(value)]))

const outboxShape = { outbox: list({ _id: false, id: String, event: String }), outboxAt: time }

const messageShape = {
  _id: needed,
  chatId: needed,
  ownerId: needed,
  role: needed,
  parentId: text,
  status: needed,
  content: text,
  model: text,
  attachments: list(Mixed),
  modes: list(String),
  feedback: Mixed,
  clientMessageId: text,
  bytes: Number,
  createdAt: time,
  shownAt: time,
  toSearch: text,
  reasoning: text,
  frames: list(Number),
  events: list(Mixed),
  search: Mixed,
  ...detailShapes,
  guest: Mixed,
  ending: Mixed,
  continued: Mixed,
  stop: text,
  leaseOwner: text,
  leaseUntil: time,
  settlementOpen: Boolean,
  expiresAt: time,
  ...outboxShape,
}

const chatShape = {
  _id: needed,
  ownerId: needed,
  title: text,
  modelUsed: text,
  pinned: Boolean,
  archived: Boolean,
  memoryOff: Boolean,
  messageCount: Number,
  leafId: text,
  createdAt: time,
  updatedAt: time,
  deletedAt: time,
  removal: text,
  purging: Boolean,
  purge: Mixed,
  turns: Number,
  turn: Mixed,
}

const segmentShape = {
  _id: needed,
  ownerId: text,
  chatId: text,
  messageIds: list(String),
  text,
  grams: list(Number),
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

const usageShape = { _id: needed, chats: Number, bytes: Number, changes: Number, recountAt: time }

const erasedOwnerShape = { _id: needed, erasedAt: time }

const fileShape = {
  _id: needed,
  ownerId: needed,
  sha256: text,
  digestKey: needed,
  name: text,
  mimeType: text,
  size: Number,
  width: Number,
  height: Number,
  pages: Number,
  made: Mixed,
  bytes: Buffer,
  thumb: Buffer,
  text,
  chatIds: list(String),
  createdAt: time,
  expiresAt: time,
  attachedAt: time,
  ...outboxShape,
}

/** The models of a service's own connection. */
export function createChatModels(connection: Connection): ChatModels {
  const model = <Document>(name: string, shape: Record<string, unknown>): Model<Document> =>
    connection.model<Document>(name, new Schema<Document>(shape as never, options), name)
  return {
    chats: model('chats', chatShape),
    messages: model('messages', messageShape),
    segments: model('search_segments', segmentShape),
    sends: model('sends', sendShape),
    files: model('files', fileShape),
    usage: model('owner_usage', usageShape),
    erased: model('erased_owners', erasedOwnerShape),
  }
}
