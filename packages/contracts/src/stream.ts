import { z } from 'zod'
import { maxMessageLength, maxTitleLength } from './constants.ts'
import { usedMemorySchema } from './memory.ts'
import {
  attachmentInputSchema,
  attachmentSchema,
  finishReasons,
  searchResultSchema,
  toolCallSchema,
} from './messages.ts'
import { modelIdSchema, usageSchema } from './models.ts'
import { idSchema, text, timeSchema } from './primitives.ts'

/** A guest and what is left of their allowance. */
export const guestSessionSchema = z.object({
  /** Signed by the server; sent back as `x-guest-session-id`. */
  id: z.string(),
  remainingMessages: z.number().int(),
  messageLimit: z.number().int(),
  nextResetDate: timeSchema,
})
export type GuestSession = z.infer<typeof guestSessionSchema>

/** A message, the edit of one, or the wish for another answer or for the rest of one. */
export const sendBodySchema = z.object({
  /** Must not be empty, unless it is ignored: with `regenerateMessageId` and `continueMessageId`. */
  message: text(maxMessageLength).optional(),
  /** The client's history; used for a guest only. Other roles than these two are dropped. */
  messages: z
    .array(z.object({ role: text(40), content: text(maxMessageLength) }))
    .max(200)
    .optional(),
  /** Needed from a user; a guest's is ignored. */
  model: modelIdSchema.optional(),
  title: text(maxTitleLength).optional(),
  chatId: idSchema.nullish(),
  webSearchEnabled: z.boolean().optional(),
  studyModeEnabled: z.boolean().optional(),
  financeModeEnabled: z.boolean().optional(),
  attachments: z.array(attachmentInputSchema).max(10).optional(),
  /** The client's guard against repeats was overridden; the server relies on `clientMessageId`. */
  force: z.boolean().optional(),
  editMessageId: idSchema.optional(),
  regenerateMessageId: idSchema.optional(),
  /** The last answer of its chat, which was stopped, broke off or reached its length limit: its text goes on in the same message. */
  continueMessageId: idSchema.optional(),
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
  /** The answer is continued: this names its stream and its receipt, and the first text is what there was of it. */
  generationId: z.string().optional(),
})
export type StartEvent = z.infer<typeof startEventSchema>
/** Follows the start of a guest's answer. */
export const guestEventSchema = z.object({ guestInfo: guestSessionSchema })
/** The memories that the prompt has, before any content; left out when it has none. */
export const memoriesUsedEventSchema = z.object({ memories_used: z.array(usedMemorySchema) })
/** Memory is away, so the prompt goes without it. Before any content. */
export const memoryUnavailableEventSchema = z.object({ memory_unavailable: z.literal(true) })
/** A piece of the model's reasoning. */
export const reasoningEventSchema = z.object({ reasoning: z.string() })
/** A piece of the answer. */
export const textEventSchema = z.object({ text: z.string() })
/** A page that a web search found. */
export const searchUrlEventSchema = z.object({ web_search_url: z.string(), title: z.string(), domain: z.string() })
/** The pages that were found are being read. */
export const readingPagesEventSchema = z.object({ url_content_processing: z.literal(true) })
const toolRef = { toolName: z.string(), toolCallId: z.string() }
/** A tool was called. */
export const toolStartEventSchema = z.object({
  tool_call_start: z.object({ ...toolRef, parameters: z.record(z.string(), z.unknown()) }),
})
/** A tool answered. */
export const toolResultEventSchema = z.object({
  tool_call_result: z.object({ ...toolRef, result: z.unknown(), resultNormalized: z.string() }),
})
/** A tool failed; the answer goes on without it. */
export const toolErrorEventSchema = z.object({ tool_call_error: z.object({ ...toolRef, error: z.string() }) })
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
  memoriesUsedEventSchema,
  memoryUnavailableEventSchema,
  reasoningEventSchema,
  textEventSchema,
  searchUrlEventSchema,
  readingPagesEventSchema,
  toolStartEventSchema,
  toolResultEventSchema,
  toolErrorEventSchema,
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
  toolCalls: z.array(toolCallSchema).optional(),
  attachments: z.array(attachmentSchema).optional(),
  webSearchResults: z.array(searchResultSchema).optional(),
  usage: usageSchema,
  credits: z.object({ charged: z.number(), remaining: z.number() }),
})
