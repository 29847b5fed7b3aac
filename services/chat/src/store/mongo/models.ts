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

const { Mixed } = Schema.Types
/** Only fields named here can be stored, queried or changed; a value of another type is refused. */
const options = { strict: 'throw', versionKey: false, minimize: false, id: false, _id: false } as const

const list = (type: unknown) => ({ type: [type], default: undefined })
const kinds = {
  needed: { type: String, required: true },
  text: String,
  number: Number,
  flag: Boolean,
  time: Date,
  bytes: Buffer,
  texts: list(String),
  numbers: list(Number),
  values: list(Mixed),
  value: Mixed,
  events: list({ _id: false, id: String, event: String }),
} as const
/** A document's fields by the kind of their values. */
type Fields<Document> = { readonly [Kind in keyof typeof kinds]?: readonly (keyof Document)[] }

const outboxFields = { events: ['outbox'] } as const

/** The kind of a detail of an answer, by its default. */
const detailKind = (value: unknown) => {
  if (Array.isArray(value)) return kinds.values
  return typeof value === 'object' ? kinds.value : Object(value).constructor
}
const details = Object.fromEntries(Object.entries(detailsOf({})).map(([name, value]) => [name, detailKind(value)]))

const messageFields: Fields<MessageDocument> = {
  ...outboxFields,
  needed: ['_id', 'chatId', 'ownerId', 'role', 'status'],
  text: ['parentId', 'content', 'model', 'clientMessageId', 'toSearch', 'reasoning', 'stop', 'leaseOwner'],
  number: ['bytes'],
  flag: ['settlementOpen'],
  time: ['createdAt', 'shownAt', 'leaseUntil', 'expiresAt', 'outboxAt'],
  texts: ['modes'],
  numbers: ['frames'],
  values: ['attachments', 'events'],
  value: ['feedback', 'search', 'guest', 'ending', 'continued'],
}

const chatFields: Fields<ChatDocument> = {
  needed: ['_id', 'ownerId'],
  text: ['title', 'modelUsed', 'leafId', 'removal'],
  number: ['messageCount', 'turns'],
  flag: ['pinned', 'archived', 'memoryOff', 'purging'],
  time: ['createdAt', 'updatedAt', 'deletedAt'],
  value: ['purge', 'turn'],
}

const segmentFields: Fields<SegmentDocument> = {
  needed: ['_id'],
  text: ['ownerId', 'chatId', 'text'],
  texts: ['messageIds'],
  numbers: ['grams'],
}

const keysOfSend = ['clientMessageId', 'idempotencyKey', 'clientKey', 'idempotencyOwnerKey'] as const
const sendFields: Fields<SendDocument> = {
  needed: ['_id', 'ownerId'],
  text: [...keysOfSend, 'bodyHash', 'chatId', 'userMessageId', 'messageId', 'parentId'],
  time: ['createdAt'],
}

const fileFields: Fields<FileDocument> = {
  ...outboxFields,
  needed: ['_id', 'ownerId', 'digestKey'],
  text: ['sha256', 'name', 'mimeType', 'text'],
  number: ['size', 'width', 'height', 'pages'],
  time: ['createdAt', 'expiresAt', 'attachedAt', 'outboxAt'],
  bytes: ['bytes', 'thumb'],
  texts: ['chatIds'],
  value: ['made'],
}

const usageFields: Fields<UsageDocument> = {
  needed: ['_id'],
  number: ['chats', 'bytes', 'changes'],
  time: ['recountAt'],
}

const erasedOwnerFields: Fields<ErasedOwnerDocument> = { needed: ['_id'], time: ['erasedAt'] }

/** The collections of chat. */
export type ChatModels = ReturnType<typeof createChatModels>

/** The models of a service's own connection. */
export function createChatModels(connection: Connection) {
  const model = <Document>(name: string, fields: Fields<Document>, more = {}): Model<Document> => {
    const named = Object.entries(fields) as [keyof typeof kinds, readonly string[]][]
    const shape = Object.fromEntries(named.flatMap(([kind, names]) => names.map((each) => [each, kinds[kind]])))
    return connection.model<Document>(name, new Schema<Document>({ ...shape, ...more } as never, options), name)
  }
  return {
    chats: model<ChatDocument>('chats', chatFields),
    messages: model<MessageDocument>('messages', messageFields, details),
    segments: model<SegmentDocument>('search_segments', segmentFields),
    sends: model<SendDocument>('sends', sendFields),
    files: model<FileDocument>('files', fileFields),
    usage: model<UsageDocument>('owner_usage', usageFields),
    erased: model<ErasedOwnerDocument>('erased_owners', erasedOwnerFields),
  }
}
