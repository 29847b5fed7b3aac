import { z } from 'zod'
import { usedMemorySchema } from './memory.ts'
import { usageSchema } from './models.ts'
import { text, timeSchema } from './primitives.ts'

/** Media types of images that people may attach, by their content. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const
/** Media types of what people may attach, by its content. */
export const attachmentTypes = [...imageTypes, 'application/pdf'] as const

/** A file of a message. Its bytes are at `url`, for its owner only. */
export const attachmentSchema = z.object({
  id: z.string(),
  type: z.enum(['image', 'file']),
  mimeType: z.enum(attachmentTypes),
  /** Path on this origin: `/api/chat/files/<id>`. */
  url: z.string(),
  name: z.string(),
  /** Bytes as stored. */
  size: z.number().int(),
  detail: z.enum(['auto', 'low', 'high']),
  /** Pixels, of an image. */
  width: z.number().int().optional(),
  height: z.number().int().optional(),
  /** Of a PDF. */
  pages: z.number().int().optional(),
})
export type Attachment = z.infer<typeof attachmentSchema>

/** A file of one's own as the list of them shows it: it can be attached again as it is. */
export const ownFileSchema = attachmentSchema.extend({ createdAt: timeSchema })
export type OwnFile = z.infer<typeof ownFileSchema>

/** What a sender attaches: bytes as a data URL, a file that was uploaded before (its `id`), or an http(s) address that is fetched. */
export const attachmentInputSchema = z.object({
  type: text(20).optional(),
  id: text(64).optional(),
  dataUrl: z.string().optional(),
  url: text(4_000).optional(),
  detail: z.enum(['auto', 'low', 'high']).optional(),
  name: text(1_000).optional(),
  size: z.number().optional(),
})
export type AttachmentInput = z.infer<typeof attachmentInputSchema>

/** Where a tool call stands. */
export const toolCallStatuses = ['pending', 'running', 'completed', 'error'] as const
/** A call of a tool within an answer. */
export const toolCallSchema = z.object({
  toolName: z.string(),
  toolCallId: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  status: z.enum(toolCallStatuses),
  /** What the tool gave, as JSON. */
  result: z.unknown().optional(),
  /** The result as one short text for people. */
  resultNormalized: z.string().optional(),
  error: z.string().optional(),
  timestamp: timeSchema,
})
export type ToolCall = z.infer<typeof toolCallSchema>

/** A page that a web search found. Only pages that were really read have a `summary`, and may be cited. */
export const searchResultSchema = z.object({
  title: z.string(),
  url: z.string(),
  domain: z.string(),
  summary: z.string().optional(),
  publishedDate: z.string().optional(),
  author: z.string().optional(),
  highlights: z.array(z.string()).optional(),
  score: z.number().optional(),
})
export type SearchResult = z.infer<typeof searchResultSchema>

/** What a reader thought of an answer. */
export const feedbackSchema = z.object({ rating: z.enum(['up', 'down']), reason: z.string().optional() })
export type Feedback = z.infer<typeof feedbackSchema>

/** What an answer may be asked to use. */
export const chatModes = ['webSearch', 'study', 'finance'] as const
export type ChatMode = (typeof chatModes)[number]

/** Why an answer ended: by itself, at its length limit, by a stop, or by a failure. */
export const finishReasons = ['stop', 'length', 'stopped', 'error'] as const
/** One generation of an answer that was continued; its id is that of its receipt. */
export const answerGenerationSchema = z.object({
  id: z.string(),
  model: z.string(),
  usage: usageSchema,
  credits: z.number().int(),
})
export type AnswerGeneration = z.infer<typeof answerGenerationSchema>

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
  /** Files that came with a user's message, or images that an answer made. */
  attachments: z.array(attachmentSchema).optional(),
  toolCalls: z.array(toolCallSchema).optional(),
  webSearchQuery: z.string().optional(),
  webSearchResults: z.array(searchResultSchema).optional(),
  feedback: feedbackSchema.optional(),
  /** Memories that an answer's prompt had, as they were then. */
  memoriesUsed: z.array(usedMemorySchema).optional(),
  /** The answer was made without memory, which was away. */
  memoryUnavailable: z.literal(true).optional(),
  /** The modes that a user's message was sent with. */
  modes: z.array(z.enum(chatModes)).optional(),
  model: z.string().nullable(),
  status: z.enum(messageStatuses),
  parentId: z.string().nullable(),
  /** Ids of the siblings in order of creation, itself included; absent when it has none. */
  versions: z.array(z.string()).optional(),
  usage: usageSchema.optional(),
  /** Credits that the answer cost. */
  credits: z.number().int().optional(),
  /** Milliseconds from the send to the end of the answer; of a continued one, of all its generations. */
  durationMs: z.number().int().optional(),
  /** Of an answer that was continued: what each generation of it took, in order; `usage` and `credits` are their sums. */
  generations: z.array(answerGenerationSchema).optional(),
  /** While an answer is being continued: its stream. */
  generationId: z.string().optional(),
  /** Why an answer ended, as its `done` event says it; `error` where there was an error event instead. Absent while it is generating. */
  finishReason: z.enum(finishReasons).optional(),
  /** What went wrong, as people read it, for `interrupted` and `error`. */
  error: z.string().optional(),
  /** The sender's own id of a user message, so that a resent one is recognised. */
  clientMessageId: z.string().optional(),
  createdAt: timeSchema,
})
export type Message = z.infer<typeof messageSchema>
