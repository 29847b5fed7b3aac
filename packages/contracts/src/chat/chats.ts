import { z } from 'zod'
import { timeSchema } from '../primitives.ts'
import { messageSchema } from './messages.ts'

/** A chat in the list. */
export const chatSummarySchema = z.object({
  _id: z.string(),
  title: z.string(),
  modelUsed: z.string(),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  messageCount: z.number().int(),
  pinned: z.boolean(),
  /** Hidden from the list until a new message; omitted otherwise. */
  archived: z.literal(true).optional(),
  /** The match of a search; omitted if only the title matches, and without a search. */
  match: z.object({ messageId: z.string(), snippet: z.string() }).optional(),
})
export type ChatSummary = z.infer<typeof chatSummarySchema>

/** The result of an import. */
export const importOutcomeSchema = z.object({
  imported: z.number().int(),
  skipped: z.number().int(),
  /** Ids of the file's chats in its order, including those imported before; the first 50. */
  chatIds: z.array(z.string()),
})
export type ImportOutcome = z.infer<typeof importOutcomeSchema>

/** An event of an import's stream (`Accept: text/event-stream`): progress, then once the result. */
export const importEventSchema = z.union([
  z.object({ progress: z.object({ done: z.number().int(), total: z.number().int() }) }),
  importOutcomeSchema,
  z.object({ error: z.string(), code: z.string() }),
])
export type ImportEvent = z.infer<typeof importEventSchema>

/** A running answer, with the text of its events up to `lastEventId`. */
export const liveAnswerSchema = z.object({
  messageId: z.string(),
  /** The id of the stream if an answer is being continued. */
  generationId: z.string().optional(),
  lastEventId: z.number().int(),
  content: z.string(),
  reasoning: z.string(),
})

/** A chat with a page of its messages, oldest first. */
export const chatDetailSchema = z.object({
  _id: z.string(),
  title: z.string(),
  modelUsed: z.string(),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  messages: z.array(messageSchema),
  /** There are older messages; request them with `before` = the first message's id. */
  hasMore: z.boolean(),
  /** With `around`: there are newer messages, too. */
  hasNewer: z.boolean().optional(),
  /** With `around`: whether the page is of the current version of the thread. */
  shown: z.boolean().optional(),
  /** `generationId` is the id of the stream if an answer is being continued; otherwise it is `messageId`. */
  generating: z.object({ messageId: z.string(), generationId: z.string().optional() }).optional(),
  archived: z.literal(true).optional(),
  /** Memory is off in this chat; omitted if it is on. */
  memoryEnabled: z.literal(false).optional(),
})
export type ChatDetail = z.infer<typeof chatDetailSchema>

/** Counts of a chat, over all versions of its thread. */
export const chatInfoSchema = z.object({
  chatId: z.string(),
  messages: z.object({ total: z.number().int(), user: z.number().int(), assistant: z.number().int() }),
  averageTokensPerMessage: z.number(),
  tokens: z.object({ input: z.number().int(), output: z.number().int(), total: z.number().int() }),
  /** False if any count is an estimate. */
  tokensAccurate: z.boolean(),
  textModel: z.string().nullable(),
  imageModel: z.string().nullable(),
})
export type ChatInfo = z.infer<typeof chatInfoSchema>

const usedSchema = z.object({
  used: z.number().int(),
  /** Null for unlimited. */
  limit: z.number().int().nullable(),
})
/** Storage of an account and its limits: chats, and bytes of messages and files. */
export const chatUsageSchema = z.object({ chats: usedSchema, bytes: usedSchema })
export type ChatUsage = z.infer<typeof chatUsageSchema>
