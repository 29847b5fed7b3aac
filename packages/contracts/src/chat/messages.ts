import { z } from 'zod'
import { usageSchema } from '../llm-router/models.ts'
import { usedMemorySchema } from '../memory.ts'
import { text, timeSchema } from '../primitives.ts'

/** Media types of images that can be attached, detected by content. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const
/** Media types of all files that can be attached, detected by content. */
export const attachmentTypes = [...imageTypes, 'application/pdf'] as const

/** A file of a message. Its bytes are at `url`, for the owner only. */
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
  /** For images, in pixels. */
  width: z.number().int().optional(),
  height: z.number().int().optional(),
  /** For PDFs. */
  pages: z.number().int().optional(),
})
export type Attachment = z.infer<typeof attachmentSchema>

/** A file in the owner's list, which can be attached again. */
export const ownFileSchema = attachmentSchema.extend({ createdAt: timeSchema })
export type OwnFile = z.infer<typeof ownFileSchema>

/** An attachment to send: a data URL, the `id` of an uploaded file, or an http(s) URL to fetch. */
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

/** States of a tool call. */
export const toolCallStatuses = ['pending', 'running', 'completed', 'error'] as const
/** A tool call in an answer. */
export const toolCallSchema = z.object({
  toolName: z.string(),
  toolCallId: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  status: z.enum(toolCallStatuses),
  /** The tool's result, as JSON. */
  result: z.unknown().optional(),
  /** The result as a short text for display. */
  resultNormalized: z.string().optional(),
  error: z.string().optional(),
  timestamp: timeSchema,
})
export type ToolCall = z.infer<typeof toolCallSchema>

/** A result of a web search. Only pages that were actually read have a `summary`, and may be cited. */
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

/** A reader's rating of an answer. */
export const feedbackSchema = z.object({ rating: z.enum(['up', 'down']), reason: z.string().optional() })
export type Feedback = z.infer<typeof feedbackSchema>

/** Modes of a send. */
export const chatModes = ['webSearch', 'study', 'finance'] as const
export type ChatMode = (typeof chatModes)[number]

/** Why an answer ended: naturally, at its length limit, by a stop, or by a failure. */
export const finishReasons = ['stop', 'length', 'stopped', 'error'] as const
/** A generation of a continued answer; its id is that of its receipt. */
export const answerGenerationSchema = z.object({
  id: z.string(),
  model: z.string(),
  usage: usageSchema,
  credits: z.number().int(),
})
export type AnswerGeneration = z.infer<typeof answerGenerationSchema>

/** States of a message; a stopped answer is `complete`. */
export const messageStatuses = ['complete', 'generating', 'interrupted', 'error'] as const
/** A message of a chat; the messages form a tree by `parentId`. */
export const messageSchema = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  reasoning: z.string().optional(),
  /** Milliseconds from the first reasoning to the text, or to the end if there is none; omitted without reasoning and while reasoning. */
  reasoningMs: z.number().int().optional(),
  /** Files of a user's message, or generated images of an answer. */
  attachments: z.array(attachmentSchema).optional(),
  toolCalls: z.array(toolCallSchema).optional(),
  webSearchQuery: z.string().optional(),
  webSearchResults: z.array(searchResultSchema).optional(),
  feedback: feedbackSchema.optional(),
  /** Memories in the answer's prompt, as they were then. */
  memoriesUsed: z.array(usedMemorySchema).optional(),
  /** The answer was generated without memories, because memory was unavailable. */
  memoryUnavailable: z.literal(true).optional(),
  /** The modes of a user's message. */
  modes: z.array(z.enum(chatModes)).optional(),
  model: z.string().nullable(),
  status: z.enum(messageStatuses),
  parentId: z.string().nullable(),
  /** Ids of the message and its siblings in order of creation; omitted without siblings. */
  versions: z.array(z.string()).optional(),
  usage: usageSchema.optional(),
  /** Credits that the answer cost. */
  credits: z.number().int().optional(),
  /** Milliseconds from the send to the end of the answer; summed over the generations of a continued one. */
  durationMs: z.number().int().optional(),
  /** For a continued answer: its generations in order; `usage` and `credits` are their sums. */
  generations: z.array(answerGenerationSchema).optional(),
  /** While an answer is being continued: the id of its stream. */
  generationId: z.string().optional(),
  /** Why an answer ended, as in its `done` event; `error` for an error event. Omitted while generating. */
  finishReason: z.enum(finishReasons).optional(),
  /** The error for display, for `interrupted` and `error`. */
  error: z.string().optional(),
  /** The sender's own id of a user message, for deduplication. */
  clientMessageId: z.string().optional(),
  createdAt: timeSchema,
})
export type Message = z.infer<typeof messageSchema>
