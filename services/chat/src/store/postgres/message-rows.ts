import { type Selectable, sql } from 'kysely'
import { endOf } from '../continued.ts'
import { detailsOf, shownDetails, type ThreadMessage, type UserMessage } from '../entities.ts'
import type { FinishedMessage } from '../message-store.ts'
import { type GenerationJson, jsonRow, type MessageRow, noParent } from './tables.ts'

/** The columns of a message as its thread shows it. */
export const threadColumns = [
  'id',
  'chat_id',
  'role',
  'parent_id',
  'status',
  'content',
  'reasoning',
  'attachments',
  'modes',
  'events',
  'search',
  'feedback',
  'model',
  'client_message_id',
  'generation',
  'created_at',
] as const
/** A row of these columns. */
export type ThreadRow = Pick<Selectable<MessageRow>, (typeof threadColumns)[number]>

/** These columns of the table that is called `name`. */
export const threadColumnsOf = (name: string) => sql.join(threadColumns.map((column) => sql.ref(`${name}.${column}`)))

/** Reads a row. */
export const toThreadMessage = (row: ThreadRow): ThreadMessage => ({
  id: row.id,
  chatId: row.chat_id,
  role: row.role,
  parentId: row.parent_id === noParent ? null : row.parent_id,
  status: row.status,
  content: row.content,
  reasoning: row.reasoning,
  ...shownDetails(row.generation ?? {}),
  attachments: row.attachments,
  modes: row.modes,
  events: row.events,
  search: row.search,
  feedback: row.feedback,
  model: row.model,
  clientMessageId: row.client_message_id,
  ...endOf({ ...row, ending: row.generation?.ending ?? null, continued: row.generation?.continued ?? null }),
  createdAt: row.created_at,
})

/** The row, in JSON, of what a user wrote. */
export const toMessageRow = (message: UserMessage) => ({
  ...jsonRow(message),
  role: 'user',
  parent_id: message.parentId ?? noParent,
  status: 'complete',
})

/** The row, in JSON, of a message that is finished; where it goes is left out. */
export const toFinishedRow = (message: FinishedMessage) => ({
  ...jsonRow(message),
  generation: message.role === 'user' ? null : toGenerationJson(message),
})

/** The row, in JSON, of a finished message with its place. */
export const toPlacedRow = (message: ThreadMessage, ownerId: string) => ({
  ...toFinishedRow(message),
  owner_id: ownerId,
  parent_id: message.parentId ?? noParent,
})

const placedColumns = sql.join(['owner_id', ...threadColumns].map((column) => sql.ref(column)))

/** The statement that inserts such rows; a condition is to be appended. */
export const insertingPlaced = (rows: readonly object[]) => sql`
    insert into messages (${placedColumns})
    select ${placedColumns} from jsonb_populate_recordset(null::messages, ${JSON.stringify(rows)}::jsonb)
`

const toGenerationJson = (message: FinishedMessage): GenerationJson => {
  const { ending } = message
  const price = ending?.credits.charged ?? 0
  const promptTokens = ending?.usage.inputTokens ?? 0
  return { ...detailsOf({ ...message, price, promptTokens }), guest: null, ending }
}
