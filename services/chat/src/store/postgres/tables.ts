import type { Attachment, ChatMode, Feedback, StreamEvent } from '@parley/contracts'
import type { ColumnType, Generated } from 'kysely'
import type {
  AnswerDetails,
  Continued,
  Ending,
  GuestOrigin,
  StopReason,
  ThreadMessage,
  WebSearch,
} from '../entities.ts'
import type { FileMeta } from '../file-store.ts'

type Json<T> = ColumnType<T, string, string>
/** A list kept as JSON; empty unless given. */
type JsonList<T> = ColumnType<readonly T[], string | undefined, string>

interface ChatRow {
  id: string
  owner_id: string
  title: string
  model_used: string
  pinned: boolean
  archived: boolean
  memory_off: boolean
  message_count: number
  leaf_id: string | null
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
}

/** The part of an answer's document that is only read and written as a whole. */
export interface GenerationJson extends AnswerDetails {
  readonly guest: GuestOrigin | null
  readonly ending: Ending | null
  readonly continued?: Continued
}

/** A row of `messages`: what a user wrote, or an answer with its generation. */
export interface MessageRow {
  id: string
  chat_id: string
  owner_id: string
  role: ThreadMessage['role']
  parent_id: string
  status: ThreadMessage['status']
  content: string
  model: string | null
  client_message_id: string | null
  created_at: Date
  reasoning: ColumnType<string, string | undefined, string>
  frames: JsonList<number>
  attachments: JsonList<Attachment>
  modes: JsonList<ChatMode>
  events: JsonList<StreamEvent>
  search: Json<WebSearch> | null
  feedback: Json<Feedback> | null
  generation: Json<GenerationJson> | null
  stop_requested: StopReason | null
  lease_owner: string | null
  lease_until: Date | null
  settlement_open: ColumnType<boolean, boolean | undefined, boolean>
  expires_at: Date | null
  search_pending: ColumnType<boolean, undefined, boolean>
  generation_ids: ColumnType<string[] | null, undefined, undefined>
  shown_at: ColumnType<Date | null, Date | undefined, Date>
}

interface SearchSegmentRow {
  id: string
  owner_id: string
  chat_id: string
  message_ids: string[]
  text: string
  grams: number[]
}

interface SendRow {
  id: string
  owner_id: string
  client_message_id: string | null
  idempotency_key: string | null
  body_hash: string
  chat_id: string
  user_message_id: string
  message_id: string
  parent_id: string
  created_at: Date
}

interface OwnerUsageRow {
  owner_id: string
  chats: number
  bytes: number
  recount_at: Date | null
}

interface FileRow {
  id: string
  owner_id: string
  sha256: string
  name: string
  mime_type: FileMeta['mimeType']
  size: number
  width: number | null
  height: number | null
  pages: number | null
  made: Json<NonNullable<FileMeta['made']>> | null
  bytes: Buffer
  thumb: Buffer | null
  content: string | null
  chat_ids: ColumnType<string[], string[] | undefined, string[]>
  created_at: Date
  expires_at: Date | null
  attached_at: ColumnType<Date | null, Date | null | undefined, Date | null>
}

/** The schema `chat` of PostgreSQL. */
export interface ChatTables {
  chats: ChatRow
  messages: MessageRow
  search_segments: SearchSegmentRow
  sends: SendRow
  files: FileRow
  owner_usage: OwnerUsageRow
  replicas: { owner: string; alive_until: Date }
  erased_owners: { id_hash: Buffer; erased_at: Generated<Date> }
}

const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
/** An entity as a row in JSON: its fields under the names of their columns. */
export const jsonRow = (entity: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(entity).map(([field, value]) => [columnOf(field), value]))

/** How a missing parent is kept, so that siblings are found by equality. */
export const noParent = ''
