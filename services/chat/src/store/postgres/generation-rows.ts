import type { Selectable } from 'kysely'
import { detailsOf, type Generation, type NewGeneration, type Progress, progressValues } from '../entities.ts'
import { type GenerationJson, jsonRow, type MessageRow } from './tables.ts'

/** Reads an answer's row. */
export function toGeneration(row: Selectable<MessageRow>): Generation {
  // Only rows of answers are read here, and each of them has it from the start.
  const made = row.generation as GenerationJson
  return {
    id: row.id,
    chatId: row.chat_id,
    ownerId: row.owner_id,
    parentId: row.parent_id,
    model: row.model ?? '',
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    status: row.status,
    stop: row.stop_requested,
    leaseOwner: row.lease_owner,
    content: row.content,
    reasoning: row.reasoning,
    frames: row.frames,
    events: row.events,
    search: row.search,
    attachments: row.attachments,
    ...detailsOf(made),
    guest: made.guest,
    ending: made.ending,
    continued: made.continued ?? null,
  }
}

/** The columns that hold progress, as parameters of a statement; its details are in the document's JSON, whose other parts are kept. */
export function progressColumns(progress: Progress) {
  const { frames, events, search, attachments, ...texts } = progressValues(progress)
  return {
    ...texts,
    frames: JSON.stringify(frames),
    events: JSON.stringify(events),
    search: search && JSON.stringify(search),
    attachments: JSON.stringify(attachments),
  }
}

/** The part of a document's JSON that a generation begins with which continues an answer. */
export const continuedJson = ({ opening, price, continued }: NewGeneration) => ({
  opening,
  price,
  promptTokens: 0,
  ending: null,
  continued,
})

/** The row of an answer that is begun, as it is in JSON, without its lease. */
export function toNewRow(generation: NewGeneration) {
  const { guest, opening, price } = generation
  const made: GenerationJson = { ...detailsOf({ opening, price }), guest, ending: null }
  return { ...jsonRow(generation), role: 'assistant', status: 'generating', content: '', generation: made }
}
