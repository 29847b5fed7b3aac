import { z } from 'zod'
import { chatDetailSchema, chatInfoSchema, chatSummarySchema, chatUsageSchema, importOutcomeSchema } from './chats.ts'
import { maxMessageLength, maxTitleLength } from './constants.ts'
import { feedbackSchema, messageSchema } from './messages.ts'
import { modelIdSchema } from './models.ts'
import { filledText, idParamsSchema, idSchema, messageAnswerSchema, text, timeSchema } from './primitives.ts'
import { defineRoute } from './route.ts'
import { guestSessionSchema, sendBodySchema } from './stream.ts'

const service = 'chat'
const refusing = (what: string) => ({
  guestRefusal: `${what} is not available in guest mode. Please sign in to continue.`,
})
const historyRefusal = refusing('Chat history')
const managementRefusal = refusing('Chat management')
const renamingRefusal = refusing('Chat renaming')
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
    // Data URLs of 10 MB as base64, and the text; larger files are uploaded before.
    bodyLimit: 16 * 1024 * 1024,
    tooLarge:
      'The message is too large. Please upload its files first (POST /chat/files) and attach them by their ids.',
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
    summary: "Stop an answer, by its id or its sender's clientMessageId; what was produced is kept and charged",
    params: idParamsSchema,
    answer: z.object({ stopped: z.literal(true) }),
  }),
  history: defineRoute({
    method: 'GET',
    path: '/chat/history',
    service,
    access: 'user',
    ...historyRefusal,
    limited: 'reading',
    summary:
      'Chats, newest first, at most 10,000; query searches titles and messages; with limit a page, the cursor of the next one in x-next-cursor',
    query: z.object({
      query: text(200).optional(),
      limit: z.coerce.number().int().min(1).max(200).optional(),
      cursor: text(200).optional(),
      /** Pinned chats come before the others; not with a search. */
      pinnedFirst: z.stringbool({ truthy: ['true'], falsy: ['false'] }).optional(),
    }),
    answer: z.array(chatSummarySchema),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/chat/history',
    service,
    access: 'user',
    ...historyRefusal,
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
    ...historyRefusal,
    summary: 'A chat with its latest messages, or those before one',
    params: idParamsSchema,
    query: z.object({
      before: idSchema.optional(),
      /** A page in whose middle this message is, on whatever version of the thread. */
      around: idSchema.optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    answer: chatDetailSchema,
  }),
  rename: defineRoute({
    method: 'PUT',
    path: '/chat/history/:id/rename',
    service,
    access: 'user',
    ...renamingRefusal,
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
    ...managementRefusal,
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
    ...managementRefusal,
    summary: 'Delete a chat; restorable for 30 s',
    params: idParamsSchema,
    answer: messageAnswerSchema,
  }),
  restore: defineRoute({
    method: 'POST',
    path: '/chat/history/:id/restore',
    service,
    access: 'user',
    ...managementRefusal,
    summary: 'Undo a delete within 30 s',
    params: idParamsSchema,
    answer: z.object({ chatId: z.string() }),
  }),
  bulkRemove: defineRoute({
    method: 'DELETE',
    path: '/chat/bulk',
    service,
    access: 'user',
    ...managementRefusal,
    limited: 'reading',
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
    ...managementRefusal,
    limited: 'reading',
    summary: 'Delete all chats',
    answer: z.object({ deleted: z.number().int() }),
  }),
  merge: defineRoute({
    method: 'PUT',
    path: '/chat/history',
    service,
    access: 'user',
    ...historyRefusal,
    // The longest message fits, escaped in any way.
    bodyLimit: 1024 * 1024,
    bodyValues: 50_000,
    limited: 'reading',
    summary: 'Save a chat as a client has it: merged by message id, never over what the server wrote',
    body: z.object({
      chatId: idSchema,
      messages: z.array(z.looseObject({ id: text(64), role: text(40), content: text(maxMessageLength) })).max(500),
      model: modelIdSchema,
    }),
    answer: z.object({ chatId: z.string(), updatedAt: timeSchema, merged: z.number().int() }),
  }),
  show: defineRoute({
    method: 'PUT',
    path: '/chat/history/:id/path',
    service,
    access: 'user',
    ...managementRefusal,
    summary:
      'Show the version of the thread that this message is part of; remembered, and continued by the next message',
    params: idParamsSchema,
    body: z.object({ messageId: idSchema }),
    answer: z.object({ chatId: z.string(), lastMessageId: z.string() }),
  }),
  rate: defineRoute({
    method: 'PUT',
    path: '/chat/history/:id/feedback',
    service,
    access: 'user',
    ...managementRefusal,
    summary: 'Say what an answer was worth; null takes it back',
    params: idParamsSchema,
    body: z.object({
      messageId: idSchema,
      rating: feedbackSchema.shape.rating.nullable(),
      reason: text(1_000).optional(),
    }),
    answer: z.object({ messageId: z.string(), feedback: feedbackSchema.nullable() }),
  }),
  info: defineRoute({
    method: 'GET',
    path: '/chat/:id/info',
    service,
    access: 'user',
    ...historyRefusal,
    limited: 'reading',
    summary: 'Counts of messages and tokens of a chat',
    params: idParamsSchema,
    answer: chatInfoSchema,
  }),
  usage: defineRoute({
    method: 'GET',
    path: '/chat/usage',
    service,
    access: 'user',
    ...historyRefusal,
    summary: 'What the account keeps and may keep: chats and bytes',
    answer: chatUsageSchema,
  }),
  exportChat: defineRoute({
    method: 'GET',
    path: '/chat/history/:id/export',
    service,
    access: 'user',
    ...historyRefusal,
    stream: true,
    limited: 'reading',
    summary: 'A chat as a file: Markdown of what is shown, or JSON of everything',
    params: idParamsSchema,
    query: z.object({ format: z.enum(['md', 'json']).default('json') }),
  }),
  importChats: defineRoute({
    method: 'POST',
    path: '/chat/import',
    service,
    access: 'user',
    ...historyRefusal,
    limited: true,
    bodyLimit: 32 * 1024 * 1024,
    // LibreChat writes each message inside the one that it answers, two levels further down.
    bodyDepth: 50_000,
    bodyValues: 2_000_000,
    stream: true,
    summary:
      "Import an exported file of this product's, or an export of ChatGPT or LibreChat; a second import skips, one of the same file meanwhile joins. The answer is JSON, or an event stream of its progress with Accept: text/event-stream",
    body: z.unknown(),
    answer: importOutcomeSchema,
  }),
  upload: defineRoute({
    method: 'POST',
    path: '/chat/files',
    service,
    access: 'user',
    limited: true,
    bodyLimit: 11 * 1024 * 1024,
    stream: true,
    summary: 'Upload one attachment: its bytes as the body, its name percent-encoded in x-file-name; 201 {attachment}',
  }),
  file: defineRoute({
    method: 'GET',
    path: '/chat/files/:id',
    service,
    access: 'user',
    stream: true,
    summary: "The bytes of one's own file; size=thumb for a small picture of an image",
    params: idParamsSchema,
    query: z.object({ size: z.enum(['full', 'thumb']).default('full') }),
  }),
  image: defineRoute({
    method: 'POST',
    path: '/chat/image',
    service,
    access: 'user',
    stream: true,
    limited: true,
    summary:
      'Make an image; with chatId it and its prompt become messages of that chat, with regenerateMessageId another version of an image there',
    body: z.object({
      prompt: filledText(4_000),
      model: modelIdSchema.optional(),
      chatId: idSchema.nullish(),
      /** An answer of the chat that is an image: this one becomes a version beside it, and the question stays as it is. */
      regenerateMessageId: idSchema.optional(),
      clientMessageId: idSchema.optional(),
    }),
    answer: z.object({
      imageUrl: z.string(),
      model: z.string(),
      creditsCharged: z.number().int(),
      /** With `chatId`: the question and the image. */
      userMessageId: z.string().optional(),
      messageId: z.string().optional(),
    }),
  }),
  tools: defineRoute({
    method: 'GET',
    path: '/chat/tools',
    service,
    access: 'guest',
    summary: 'Which tools this installation has',
    answer: z.object({ webSearch: z.boolean(), finance: z.boolean() }),
  }),
}

/** What realtime asks of chat. */
export const chatInternalRoutes = {
  live: defineRoute({
    method: 'GET',
    path: '/internal/chats/:id/live',
    service,
    access: 'service',
    summary: "Where a chat stands; 404 when it is not this user's",
    params: idParamsSchema,
    query: z.object({ userId: idSchema }),
    answer: z.object({
      lastMessageId: z.string().nullable(),
      /** `lastEventId` and `content` belong together: the text that those events carried. */
      generating: z
        .object({ messageId: z.string(), lastEventId: z.number().int(), content: z.string(), reasoning: z.string() })
        .optional(),
    }),
  }),
  message: defineRoute({
    method: 'GET',
    path: '/internal/chats/:id/messages/:messageId',
    service,
    access: 'service',
    summary: 'One message as its owner sees it',
    params: z.object({ id: idSchema, messageId: idSchema }),
    query: z.object({ userId: idSchema }),
    answer: messageSchema,
  }),
}
