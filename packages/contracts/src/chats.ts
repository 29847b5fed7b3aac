import { z } from 'zod'
import { messageSchema } from './messages.ts'
import { timeSchema } from './primitives.ts'

/** A chat as the list shows it. */
export const chatSummarySchema = z.object({
  _id: z.string(),
  title: z.string(),
  modelUsed: z.string(),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  messageCount: z.number().int(),
  pinned: z.boolean(),
  /** Out of the list until a message is written in it; absent where it is not. */
  archived: z.literal(true).optional(),
  /** Where the words of a search were found; absent when only the title has them, and without a search. */
  match: z.object({ messageId: z.string(), snippet: z.string() }).optional(),
})
export type ChatSummary = z.infer<typeof chatSummarySchema>

/** What came of an import. */
export const importOutcomeSchema = z.object({
  imported: z.number().int(),
  skipped: z.number().int(),
  /** Of the file's chats as they are here, those that were here before too, in its order; the first 50. */
  chatIds: z.array(z.string()),
})
export type ImportOutcome = z.infer<typeof importOutcomeSchema>

/** One event of the stream that an import is answered with on `Accept: text/event-stream`: chats that are done, then once what came of it. */
export const importEventSchema = z.union([
  z.object({ progress: z.object({ done: z.number().int(), total: z.number().int() }) }),
  importOutcomeSchema,
  z.object({ error: z.string(), code: z.string() }),
])
export type ImportEvent = z.infer<typeof importEventSchema>

/** An answer that is being made, with the text that its events up to `lastEventId` carried. */
export const liveAnswerSchema = z.object({
  messageId: z.string(),
  /** Names the stream of an answer that is continued. */
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
  /** There are older messages; ask with `before` = the first one's id. */
  hasMore: z.boolean(),
  /** With `around`: there are newer messages, too. */
  hasNewer: z.boolean().optional(),
  /** With `around`: the page is of the version of the thread that is shown. */
  shown: z.boolean().optional(),
  /** `generationId` names the stream of an answer that is continued; else `messageId` does. */
  generating: z.object({ messageId: z.string(), generationId: z.string().optional() }).optional(),
  archived: z.literal(true).optional(),
  /** No memories are used or found in this chat; absent where they are. */
  memoryEnabled: z.literal(false).optional(),
})
export type ChatDetail = z.infer<typeof chatDetailSchema>

/** Counts of a chat, of all its versions. */
export const chatInfoSchema = z.object({
  chatId: z.string(),
  messages: z.object({ total: z.number().int(), user: z.number().int(), assistant: z.number().int() }),
  averageTokensPerMessage: z.number(),
  tokens: z.object({ input: z.number().int(), output: z.number().int(), total: z.number().int() }),
  /** False when any of them had to be estimated. */
  tokensAccurate: z.boolean(),
  textModel: z.string().nullable(),
  imageModel: z.string().nullable(),
})
export type ChatInfo = z.infer<typeof chatInfoSchema>

const usedSchema = z.object({
  used: z.number().int(),
  /** Null without a bound. */
  limit: z.number().int().nullable(),
})
/** What an account keeps and may keep: chats that are shown, and bytes of its messages and files. */
export const chatUsageSchema = z.object({ chats: usedSchema, bytes: usedSchema })
export type ChatUsage = z.infer<typeof chatUsageSchema>
