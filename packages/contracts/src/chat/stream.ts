import { z } from 'zod'
import { maxMessageLength, maxTitleLength } from '../constants.ts'
import { modelIdSchema, usageSchema } from '../llm-router/models.ts'
import { usedMemorySchema } from '../memory.ts'
import { idSchema, text, timeSchema } from '../primitives.ts'
import {
  attachmentInputSchema,
  attachmentSchema,
  finishReasons,
  searchResultSchema,
  toolCallSchema,
} from './messages.ts'

/** A guest's session and remaining allowance. */
export const guestSessionSchema = z.object({
  /** Signed by the server; sent back as `x-guest-session-id`. */
  id: z.string(),
  remainingMessages: z.number().int(),
  messageLimit: z.number().int(),
  nextResetDate: timeSchema,
})
export type GuestSession = z.infer<typeof guestSessionSchema>

/** Code points of a message in a client's history, which may be an answer; the body's limit applies first. */
const longestHistory = 20_000_000

/** A new message, an edit, or a request to regenerate or continue an answer. */
export const sendBodySchema = z.object({
  /** Required, except with `regenerateMessageId` and `continueMessageId`, which ignore it. */
  message: text(maxMessageLength).optional(),
  /** The client's history, used for guests only: its last 200 messages, without those of other roles. */
  messages: z.array(z.object({ role: text(40), content: text(longestHistory).nullish() })).optional(),
  /** Required for users; ignored for guests. */
  model: modelIdSchema.optional(),
  title: text(maxTitleLength).optional(),
  chatId: idSchema.nullish(),
  webSearchEnabled: z.boolean().optional(),
  studyModeEnabled: z.boolean().optional(),
  financeModeEnabled: z.boolean().optional(),
  attachments: z.array(attachmentInputSchema).max(10).optional(),
  /** The client's guard against duplicates was overridden; the server relies on `clientMessageId`. */
  force: z.boolean().optional(),
  editMessageId: idSchema.optional(),
  regenerateMessageId: idSchema.optional(),
  /** The chat's last answer, stopped, interrupted or at its length limit, to continue in the same message. */
  continueMessageId: idSchema.optional(),
  clientMessageId: idSchema.optional(),
})
export type SendBody = z.infer<typeof sendBodySchema>

/**
 * The `data` of an event in an answer's stream. Each event is `id: N` (from 1, without gaps) and one `data:` line; `[DONE]` is the last.
 * Events are distinguished by their keys, since the wire has no type field.
 */
export const startEventSchema = z.object({
  chatId: z.string(),
  messageId: z.string(),
  userMessageId: z.string(),
  model: z.string(),
  event: z.literal('new_chat_created').optional(),
  title: z.string().optional(),
  /** The id of the stream and receipt if an answer is continued; the first text event then has its text so far. */
  generationId: z.string().optional(),
})
export type StartEvent = z.infer<typeof startEventSchema>
/** Follows the start of a guest's answer. */
export const guestEventSchema = z.object({ guestInfo: guestSessionSchema })
/** The memories in the prompt, before any content; omitted if there are none. */
export const memoriesUsedEventSchema = z.object({ memories_used: z.array(usedMemorySchema) })
/** Memory is unavailable, so the prompt has no memories. Before any content. */
export const memoryUnavailableEventSchema = z.object({ memory_unavailable: z.literal(true) })
/** A chunk of the model's reasoning. */
export const reasoningEventSchema = z.object({ reasoning: z.string() })
/** A chunk of the answer. */
export const textEventSchema = z.object({ text: z.string() })
/** A page that a web search found. */
export const searchUrlEventSchema = z.object({ web_search_url: z.string(), title: z.string(), domain: z.string() })
/** The found pages are being read. */
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
/** A tool failed; the answer continues without it. */
export const toolErrorEventSchema = z.object({ tool_call_error: z.object({ ...toolRef, error: z.string() }) })
/** The answer ended without an error. */
export const doneEventSchema = z.object({
  done: z.literal(true),
  messageId: z.string(),
  finishReason: z.enum(finishReasons),
  usage: usageSchema,
  credits: z.object({ charged: z.number().int(), remaining: z.number().int() }),
})
/** The answer failed: a text for display and an error code. */
export const errorEventSchema = z.object({ error: z.string(), code: z.string() })
/** Any event of an answer's stream except `[DONE]`. */
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
