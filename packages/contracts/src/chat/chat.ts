import { z } from 'zod'
import { maxMessageLength, maxTitleLength } from '../constants.ts'
import { modelIdSchema } from '../llm-router/models.ts'
import {
  filledText,
  idempotencyHeader,
  idSchema,
  messageAnswerSchema,
  pageQuerySchema,
  text,
  timeSchema,
} from '../primitives.ts'
import { routesFor } from '../route.ts'
import { chatDetailSchema, chatInfoSchema, chatSummarySchema, chatUsageSchema, importOutcomeSchema } from './chats.ts'
import { attachmentSchema, attachmentTypes, feedbackSchema, ownFileSchema } from './messages.ts'
import { chatAnswerSchema, guestSessionSchema, sendBodySchema } from './stream.ts'

const guest = routesFor('chat', 'guest')
const user = routesFor('chat', 'user')
const history = routesFor('chat', 'user', {
  guestRefusal: 'Chat history is not available in guest mode. Please sign in to continue.',
})
const management = routesFor('chat', 'user', {
  guestRefusal: 'Chat management is not available in guest mode. Please sign in to continue.',
})
const renaming = routesFor('chat', 'user', {
  guestRefusal: 'Chat renaming is not available in guest mode. Please sign in to continue.',
})
const idsSchema = z.array(z.string())
/** Routes of chats and answers, for guests and users. */
export const chatRoutes = {
  guestInfo: guest.get('/chat/guest-info', {
    summary: "A guest's allowance; 401 guest_not_allowed if guest mode is off or a user is signed in",
    answer: z.object({ guestSession: guestSessionSchema, message: z.string() }),
  }),
  send: guest.post('/chat', {
    stream: true,
    limited: true,
    // Data URLs of 10 MB in base64, and the text; larger files must be uploaded first.
    bodyLimit: 16 * 1024 * 1024,
    tooLarge:
      'The message is too large. Please upload its files first (POST /chat/files) and attach them by their ids.',
    summary: 'Send a message; the answer is an event stream, or JSON with Accept: application/json',
    headers: idempotencyHeader,
    body: sendBodySchema,
    answer: chatAnswerSchema,
    types: ['text/event-stream'],
  }),
  resume: guest.get('/chat/stream/:id', {
    stream: true,
    summary: "Resume an answer's stream after Last-Event-ID; a finished one is replayed",
    headers: z.object({
      'Last-Event-ID': z.string().optional().meta({ description: 'The last event that was received' }),
    }),
  }),
  stop: guest.post('/chat/stream/:id/stop', {
    summary: "Stop an answer, by its id or its sender's clientMessageId; the text so far is kept and charged",
    answer: z.object({ stopped: z.literal(true) }),
  }),
  history: history.get('/chat/history', {
    limited: 'reading',
    summary:
      'Chats that are not archived, newest first, up to 10,000; query searches titles and messages; limit pages the list, with the next cursor in x-next-cursor',
    query: z.object({
      query: text(200).optional(),
      limit: z.coerce.number().int().min(1).max(200).optional(),
      cursor: text(200).optional(),
      /** Pinned chats first; ignored with a search. */
      pinnedFirst: z.stringbool({ truthy: ['true'], falsy: ['false'] }).optional(),
      /** Archived chats instead of the others. */
      archived: z.stringbool({ truthy: ['true'], falsy: ['false'] }).optional(),
    }),
    answer: z.array(chatSummarySchema),
  }),
  create: history.post('/chat/history', {
    summary: 'Create an empty chat',
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
  get: history.get('/chat/history/:id', {
    summary: 'A chat with its latest messages, or those before a message',
    query: z.object({
      before: idSchema.optional(),
      /** A page around this message, in any version of the thread. */
      around: idSchema.optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    answer: chatDetailSchema,
  }),
  rename: renaming.put('/chat/history/:id/rename', {
    summary: 'Rename a chat',
    body: z.object({ title: filledText(maxTitleLength) }),
    answer: z.object({ chatId: z.string(), title: z.string() }),
  }),
  pin: management.put('/chat/history/:id/pin', {
    summary: 'Pin or unpin a chat',
    body: z.object({ pinned: z.boolean() }),
    answer: z.object({ chatId: z.string(), pinned: z.boolean() }),
  }),
  archive: management.put('/chat/bulk/archive', {
    limited: 'reading',
    summary: 'Archive or unarchive chats; a new message unarchives its chat',
    body: z.strictObject({ ids: z.array(idSchema).max(500), archived: z.boolean() }),
    answer: z.object({ changed: idsSchema, notFound: idsSchema }),
  }),
  setMemory: management.put('/chat/history/:id/memory', {
    summary: 'Turn memory on or off in a chat',
    body: z.strictObject({ enabled: z.boolean() }),
    answer: z.object({ chatId: z.string(), enabled: z.boolean() }),
  }),
  remove: management.delete('/chat/history/:id', {
    summary: 'Delete a chat; restorable for 30 s',
    answer: messageAnswerSchema,
  }),
  restore: management.post('/chat/history/:id/restore', {
    summary: 'Undo a delete within 30 s',
    answer: z.object({ chatId: z.string() }),
  }),
  bulkRemove: management.delete('/chat/bulk', {
    limited: 'reading',
    summary: 'Delete several chats',
    body: z.object({ ids: z.array(idSchema).max(500) }),
    answer: z.object({ deleted: idsSchema, notFound: idsSchema, unauthorized: idsSchema }),
  }),
  clear: management.delete('/chats', {
    limited: 'reading',
    summary: 'Delete all chats',
    answer: z.object({ deleted: z.number().int() }),
  }),
  merge: history.put('/chat/history', {
    // Enough for the longest message, with any escaping.
    bodyLimit: 1024 * 1024,
    bodyValues: 50_000,
    limited: 'reading',
    summary: "Save a client's copy of a chat: merged by message id, without overwriting the server's messages",
    body: z.object({
      chatId: idSchema,
      messages: z.array(z.looseObject({ id: text(64), role: text(40), content: text(maxMessageLength) })).max(500),
      model: modelIdSchema,
    }),
    answer: z.object({ chatId: z.string(), updatedAt: timeSchema, merged: z.number().int() }),
  }),
  show: management.put('/chat/history/:id/path', {
    summary: 'Switch to the version of the thread with this message; stored, and continued by the next message',
    body: z.object({ messageId: idSchema }),
    answer: z.object({ chatId: z.string(), lastMessageId: z.string() }),
  }),
  rate: management.put('/chat/history/:id/feedback', {
    summary: 'Rate an answer; null removes the rating',
    body: z.object({
      messageId: idSchema,
      rating: feedbackSchema.shape.rating.nullable(),
      reason: text(1_000).optional(),
    }),
    answer: z.object({ messageId: z.string(), feedback: feedbackSchema.nullable() }),
  }),
  followUps: history.post('/chat/history/:id/follow-ups', {
    limited: 'reading',
    // A provider may take half a minute.
    stream: true,
    summary: 'Suggested follow-up questions to an answer, free of charge; none if the setting followUps is off',
    body: z.strictObject({ messageId: idSchema }),
    answer: z.object({ suggestions: z.array(z.string()) }),
  }),
  info: history.get('/chat/:id/info', {
    limited: 'reading',
    summary: 'Message and token counts of a chat',
    answer: chatInfoSchema,
  }),
  usage: history.get('/chat/usage', {
    summary: "The account's storage and its limits: chats and bytes",
    answer: chatUsageSchema,
  }),
  exportChat: history.get('/chat/history/:id/export', {
    stream: true,
    limited: 'reading',
    summary: 'Export a chat: the shown thread as Markdown, or everything as JSON',
    query: z.object({ format: z.enum(['md', 'json']).default('json') }),
    types: ['application/json', 'text/markdown'],
  }),
  importChats: history.post('/chat/import', {
    limited: true,
    bodyLimit: 32 * 1024 * 1024,
    // LibreChat nests each message in its parent, two levels deeper.
    bodyDepth: 50_000,
    bodyValues: 2_000_000,
    stream: true,
    summary:
      'Import an export of Parley, ChatGPT or LibreChat; chats imported before are skipped, and a concurrent import of the same file joins. The answer is JSON, or an event stream of its progress with Accept: text/event-stream',
    query: z.object({
      /** Adds the chats' ids to a JSON answer; a stream always has them. */
      chatIds: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
    }),
    body: z.unknown(),
    answer: importOutcomeSchema.partial({ chatIds: true }),
    types: ['text/event-stream'],
  }),
  upload: user.post('/chat/files', {
    limited: true,
    bodyLimit: 11 * 1024 * 1024,
    stream: true,
    summary: 'Upload an attachment: its bytes as the body, its name percent-encoded in x-file-name; 201 {attachment}',
    headers: z.object({ 'x-file-name': z.string().optional().meta({ description: 'Percent-encoded' }) }),
    takesBytes: true,
    answer: z.object({ attachment: attachmentSchema }),
    status: 201,
  }),
  files: history.get('/chat/files', {
    limited: 'reading',
    summary:
      "The caller's files sent with messages, newest first; query searches their names. nextCursor is null on the last page; a page of a search may be short or empty before that",
    query: pageQuerySchema.extend({ query: text(200).optional() }),
    answer: z.object({ files: z.array(ownFileSchema), nextCursor: z.string().nullable() }),
  }),
  file: user.get('/chat/files/:id', {
    stream: true,
    summary: "The bytes of the caller's file; size=thumb for a thumbnail of an image",
    query: z.object({ size: z.enum(['full', 'thumb']).default('full') }),
    types: attachmentTypes,
  }),
  image: user.post('/chat/image', {
    stream: true,
    limited: true,
    headers: idempotencyHeader,
    summary:
      'Generate an image; with chatId it and its prompt become messages of that chat, with regenerateMessageId another version of an image there',
    body: z.object({
      prompt: filledText(4_000),
      model: modelIdSchema.optional(),
      chatId: idSchema.nullish(),
      /** An image in the chat, of which this becomes another version; the question is not repeated. */
      regenerateMessageId: idSchema.optional(),
      clientMessageId: idSchema.optional(),
    }),
    answer: z.object({
      imageUrl: z.string(),
      model: z.string(),
      creditsCharged: z.number().int(),
      /** With `chatId`: the ids of the question and the image. */
      userMessageId: z.string().optional(),
      messageId: z.string().optional(),
    }),
  }),
  tools: guest.get('/chat/tools', {
    summary: 'Which tools this installation has, and whether it suggests follow-up questions',
    answer: z.object({ webSearch: z.boolean(), finance: z.boolean(), followUps: z.boolean() }),
  }),
}
