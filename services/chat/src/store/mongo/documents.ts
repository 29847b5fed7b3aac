import { endOf } from '../continued.ts'
import {
  detailsOf,
  type Generation,
  type NewGeneration,
  type Progress,
  progressValues,
  shownDetails,
  type ThreadMessage,
  type UserMessage,
} from '../entities.ts'
import type { Lease } from '../generation-store.ts'
import type { FinishedMessage } from '../message-store.ts'
import type { MessageDocument } from './models.ts'

/** UTF-8 bytes that a message counts for. */
export const bytesOf = ({ content, reasoning = '' }: { readonly content: string; readonly reasoning?: string }) =>
  Buffer.byteLength(content) + Buffer.byteLength(reasoning)

/** The document of what a user wrote. */
export const toMessageDocument = ({ id, clientMessageId, ...message }: UserMessage): MessageDocument => ({
  _id: id,
  ...message,
  role: 'user',
  status: 'complete',
  bytes: bytesOf(message),
  toSearch: message.ownerId,
  ...(clientMessageId !== null && { clientMessageId }),
})

/** The document of a message that is finished. */
export const toFinishedDocument = (
  { id, clientMessageId, feedback, ...message }: FinishedMessage,
  place: Pick<MessageDocument, 'chatId' | 'ownerId' | 'parentId'>,
): MessageDocument => ({
  _id: id,
  ...message,
  ...place,
  bytes: bytesOf(message),
  toSearch: place.ownerId,
  ...(feedback !== null && { feedback }),
  ...(clientMessageId !== null && { clientMessageId }),
})

/** The document of a finished message with its place. */
export const toPlacedDocument = (message: ThreadMessage, ownerId: string): MessageDocument =>
  toFinishedDocument(message, { chatId: message.chatId, ownerId, parentId: message.parentId })

/** The document of an answer that is begun under a lease. */
export const toAnswerDocument = (
  { id, guest, expiresAt, continued, ...answer }: NewGeneration,
  { owner }: Lease,
  leaseUntil: Date,
): MessageDocument => ({
  _id: id,
  ...answer,
  ...detailsOf(answer),
  ...(continued !== null && { continued }),
  role: 'assistant',
  status: 'generating',
  content: '',
  reasoning: '',
  frames: [],
  events: [],
  search: null,
  attachments: [],
  guest,
  ending: null,
  stop: null,
  leaseOwner: owner,
  leaseUntil,
  ...(guest === null ? { toSearch: answer.ownerId } : { settlementOpen: true as const }),
  ...(expiresAt !== null && { expiresAt }),
})

/** The fields that hold what has come. */
export const progressFields = (progress: Progress) => ({ ...progressValues(progress), ...detailsOf(progress) })

/** Reads an answer's document. */
export const toGeneration = (document: MessageDocument): Generation => ({
  id: document._id,
  chatId: document.chatId,
  ownerId: document.ownerId,
  // An answer always has one.
  parentId: document.parentId ?? '',
  createdAt: document.createdAt,
  expiresAt: document.expiresAt ?? null,
  status: document.status,
  stop: document.stop ?? null,
  leaseOwner: document.leaseOwner ?? null,
  content: document.content,
  reasoning: document.reasoning ?? '',
  frames: document.frames ?? [],
  events: document.events ?? [],
  search: document.search ?? null,
  attachments: document.attachments ?? [],
  model: document.model ?? '',
  ...detailsOf(document),
  guest: document.guest ?? null,
  ending: document.ending ?? null,
  continued: document.continued ?? null,
})

/** Reads a message as its thread shows it. */
export const toThreadMessage = (document: MessageDocument): ThreadMessage => ({
  id: document._id,
  chatId: document.chatId,
  role: document.role,
  parentId: document.parentId,
  status: document.status,
  content: document.content,
  reasoning: document.reasoning ?? '',
  ...shownDetails(document),
  attachments: document.attachments ?? [],
  modes: document.modes ?? [],
  events: document.events ?? [],
  search: document.search ?? null,
  feedback: document.feedback ?? null,
  model: document.model,
  clientMessageId: document.clientMessageId ?? null,
  ...endOf({ ...document, id: document._id, ending: document.ending ?? null, continued: document.continued ?? null }),
  createdAt: document.createdAt,
})
