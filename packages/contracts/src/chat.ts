import { z } from 'zod'
import { maxMessageLength, maxTitleLength } from './constants.ts'
import { modelIdSchema, usageSchema } from './models.ts'
import { filledText, idParamsSchema, idSchema, messageAnswerSchema, text, timeSchema } from './primitives.ts'
import { defineRoute } from './route.ts'

/** Why an answer ended: by itself, at its length limit, by a stop, or by a failure. */
export const finishReasons = ['stop', 'length', 'stopped', 'error'] as const
/** Where a message stands; a stopped answer is `complete`. */
export const messageStatuses = ['complete', 'generating', 'interrupted', 'error'] as const
/** A message of a chat; the messages are a tree by `parentId`. */
export const messageSchema = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  reasoning: z.string().optional(),
  /** Milliseconds from the first reasoning to the text, or to the end without one; absent without reasoning and while it still thinks. */
  reasoningMs: z.number().int().optional(),
  model: z.string().nullable(),
  status: z.enum(messageStatuses),
  parentId: z.string().nullable(),
  /** Ids of the siblings in order of creation, itself included; absent when it has none. */
  versions: z.array(z.string()).optional(),
  usage: usageSchema.optional(),
  /** Credits that the answer cost. */
  credits: z.number().int().optional(),
  /** Milliseconds from the send to the end of the answer. */
  durationMs: z.number().int().optional(),
  /** Why an answer ended, as its `done` event says it; `error` where there was an error event instead. Absent while it is generating. */
  finishReason: z.enum(finishReasons).optional(),
  /** What went wrong, as people read it, for `interrupted` and `error`. */
  error: z.string().optional(),
  /** The sender's own id of a user message, so that a resent one is recognised. */
  clientMessageId: z.string().optional(),
  createdAt: timeSchema,
})
export type Message = z.infer<typeof messageSchema>

/** A chat as the list shows it. */
export const chatSummarySchema = z.object({
  _id: z.string(),
  title: z.string(),
  modelUsed: z.string(),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  messageCount: z.number().int(),
  pinned: z.boolean(),
})
export type ChatSummary = z.infer<typeof chatSummarySchema>

/** A chat with a page of its messages, oldest first. */
export const chatDetailSchema = z.object({
  _id: z.string(),
  title: z.string(),
  modelUsed: z.string(),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  messages: z.array(messageSchema),
  /** There are older messages; ask with `before` = the first one's id. */
  hasMore: z.boolean(),
  generating: z.object({ messageId: z.string() }).optional(),
})
export type ChatDetail = z.infer<typeof chatDetailSchema>

/** A guest and what is left of their allowance. */
export const guestSessionSchema = z.object({
  /** Signed by the server; sent back as `x-guest-session-id`. */
  id: z.string(),
  remainingMessages: z.number().int(),
  messageLimit: z.number().int(),
  nextResetDate: timeSchema,
})
export type GuestSession = z.infer<typeof guestSessionSchema>

/** A message, the edit of one, or the wish for another answer. */
export const sendBodySchema = z.object({
  message: filledText(maxMessageLength).optional(),
  /** The client's history; used for a guest only. Other roles than these two are dropped. */
  messages: z
    .array(z.object({ role: z.string().max(40), content: text(maxMessageLength) }))
    .max(200)
    .optional(),
  model: modelIdSchema,
  title: text(maxTitleLength).optional(),
  chatId: idSchema.nullish(),
  webSearchEnabled: z.boolean().optional(),
  studyModeEnabled: z.boolean().optional(),
  financeModeEnabled: z.boolean().optional(),
  attachments: z.array(z.unknown()).max(10).optional(),
  /** The client's guard against repeats was overridden; the server relies on `clientMessageId`. */
  force: z.boolean().optional(),
  editMessageId: idSchema.optional(),
  regenerateMessageId: idSchema.optional(),
  clientMessageId: idSchema.optional(),
})
export type SendBody = z.infer<typeof sendBodySchema>

/**
 * The `data` of one event of an answer's stream. Each event is `id: N` (from 1, no gaps) and one `data:` line; `[DONE]` is the last.
 * Told apart by their keys, as the wire has no type field.
 */
export const startEventSchema = z.object({
  chatId: z.string(),
  messageId: z.string(),
  userMessageId: z.string(),
  model: z.string(),
  event: z.literal('new_chat_created').optional(),
  title: z.string().optional(),
})
export type StartEvent = z.infer<typeof startEventSchema>
/** Follows the start of a guest's answer. */
export const guestEventSchema = z.object({ guestInfo: guestSessionSchema })
/** A piece of the model's reasoning. */
export const reasoningEventSchema = z.object({ reasoning: z.string() })
/** A piece of the answer. */
export const textEventSchema = z.object({ text: z.string() })
/** The answer ended without a failure. */
export const doneEventSchema = z.object({
  done: z.literal(true),
  messageId: z.string(),
  finishReason: z.enum(finishReasons),
  usage: usageSchema,
  credits: z.object({ charged: z.number().int(), remaining: z.number().int() }),
})
/** The answer failed: a text for people and an error code. */
export const errorEventSchema = z.object({ error: z.string(), code: z.string() })
/** Any event of an answer's stream but the closing `[DONE]`. */
export const streamEventSchema = z.union([
  startEventSchema,
  guestEventSchema,
  reasoningEventSchema,
  textEventSchema,
  doneEventSchema,
  errorEventSchema,
])
export type StreamEvent = z.infer<typeof streamEventSchema>

/** The answer of `POST /chat` with `Accept: application/json`. */
export const chatAnswerSchema = z.object({
  chatId: z.string(),
  messageId: z.string(),
  content: z.string(),
  reasoning: z.string().optional(),
  toolCalls: z.array(z.unknown()).optional(),
  usage: usageSchema,
  credits: z.object({ charged: z.number(), remaining: z.number() }),
})

const service = 'chat'
/** Chats and answers, for guests and users. */
export const chatRoutes = {
  guestInfo: defineRoute({
    method: 'GET',
    path: '/chat/guest-info',
    service,
    access: 'guest',
    summary: "A guest's allowance; 401 guest_not_allowed when guest mode is off or a user is signed in",
    answer: z.object({ guestSession: guestSessionSchema, message: z.string() }),
  }),
  send: defineRoute({
    method: 'POST',
    path: '/chat',
    service,
    access: 'guest',
    stream: true,
    limited: true,
    bodyLimit: 1024 * 1024,
    summary: 'Send a message; the answer is an event stream, or JSON with Accept: application/json',
    body: sendBodySchema,
  }),
  resume: defineRoute({
    method: 'GET',
    path: '/chat/stream/:id',
    service,
    access: 'guest',
    stream: true,
    summary: "Resume an answer's stream after Last-Event-ID; a finished one is replayed",
    params: idParamsSchema,
  }),
  stop: defineRoute({
    method: 'POST',
    path: '/chat/stream/:id/stop',
    service,
    access: 'guest',
    summary: 'Stop an answer; what was produced is kept and charged',
    params: idParamsSchema,
    answer: z.object({ stopped: z.literal(true) }),
  }),
  history: defineRoute({
    method: 'GET',
    path: '/chat/history',
    service,
    access: 'user',
    summary: 'All chats, newest first; query searches titles and messages',
    query: z.object({ query: text(200).optional() }),
    answer: z.array(chatSummarySchema),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/chat/history',
    service,
    access: 'user',
    summary: 'Make an empty chat',
    status: 201,
    body: z.object({ title: filledText(maxTitleLength), model: modelIdSchema }),
    answer: z.object({
      chatId: z.string(),
      title: z.string(),
      model: z.string(),
      createdAt: timeSchema,
      updatedAt: timeSchema,
    }),
  }),
  get: defineRoute({
    method: 'GET',
    path: '/chat/history/:id',
    service,
    access: 'user',
    summary: 'A chat with its latest messages, or those before one',
    params: idParamsSchema,
    query: z.object({ before: idSchema.optional(), limit: z.coerce.number().int().min(1).max(200).default(50) }),
    answer: chatDetailSchema,
  }),
  rename: defineRoute({
    method: 'PUT',
    path: '/chat/history/:id/rename',
    service,
    access: 'user',
    summary: 'Rename a chat',
    params: idParamsSchema,
    body: z.object({ title: filledText(maxTitleLength) }),
    answer: z.object({ chatId: z.string(), title: z.string() }),
  }),
  pin: defineRoute({
    method: 'PUT',
    path: '/chat/history/:id/pin',
    service,
    access: 'user',
    summary: 'Pin or unpin a chat',
    params: idParamsSchema,
    body: z.object({ pinned: z.boolean() }),
    answer: z.object({ chatId: z.string(), pinned: z.boolean() }),
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/chat/history/:id',
    service,
    access: 'user',
    summary: 'Delete a chat; restorable for 30 s',
    params: idParamsSchema,
    answer: messageAnswerSchema,
  }),
  restore: defineRoute({
    method: 'POST',
    path: '/chat/history/:id/restore',
    service,
    access: 'user',
    summary: 'Undo a delete within 30 s',
    params: idParamsSchema,
    answer: z.object({ chatId: z.string() }),
  }),
  bulkRemove: defineRoute({
    method: 'DELETE',
    path: '/chat/bulk',
    service,
    access: 'user',
    summary: 'Delete several chats',
    body: z.object({ ids: z.array(idSchema).max(500) }),
    answer: z.object({
      deleted: z.array(z.string()),
      notFound: z.array(z.string()),
      unauthorized: z.array(z.string()),
    }),
  }),
  clear: defineRoute({
    method: 'DELETE',
    path: '/chats',
    service,
    access: 'user',
    summary: 'Delete all chats',
    answer: z.object({ deleted: z.number().int() }),
  }),
}
