import { z } from 'zod'
import { filledText, idParamsSchema, idSchema, pageQuerySchema, text, timeSchema } from './primitives.ts'
import { defineRoute } from './route.ts'

/** UTF-16 units of a memory's text. */
export const maxMemoryLength = 2_000
/** Stored memories of one user. */
export const maxMemories = 5_000
/** Memories that one call imports at most. */
export const maxImported = 500
/** Own detection patterns of one user, and UTF-16 units of one. */
export const maxOwnPatterns = 50
export const maxPatternLength = 200

/** What memories are about. */
export const memoryCategories = [
  'personal',
  'professional',
  'technical',
  'preferences',
  'health',
  'location',
  'goals',
  'education',
  'preference',
  'factual',
  'contact',
  'temporal',
  'demo',
  'auto-detected',
  'general',
] as const
export type MemoryCategory = (typeof memoryCategories)[number]
/** How sure it is that a text is worth remembering, the surest first. */
export const memoryConfidences = ['high', 'medium', 'low'] as const
export type MemoryConfidence = (typeof memoryConfidences)[number]

const categorySchema = z.enum(memoryCategories)
const confidenceSchema = z.enum(memoryConfidences)

/** The message that a memory came from. */
const memorySourceSchema = z.object({ chatId: idSchema, messageId: idSchema })
/** Something that a user wants remembered, or may want. */
export const memorySchema = z.object({
  id: z.string(),
  text: z.string(),
  category: categorySchema,
  confidence: confidenceSchema,
  status: z.enum(['stored', 'pending']),
  source: memorySourceSchema.optional(),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  /** When it was last put into a prompt. */
  lastUsedAt: timeSchema.nullable(),
})
export type Memory = z.infer<typeof memorySchema>

/** A memory that waits for its user's decision. */
export const memorySuggestionSchema = memorySchema.extend({
  /** Why it is suggested, as people read it. */
  reason: z.string(),
  /** Stored memories that this one takes the place of once it is approved. */
  merges: z.array(z.string()).optional(),
})
export type MemorySuggestion = z.infer<typeof memorySuggestionSchema>

/** By what suggestions are found. */
export const detectionPatternSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** RE2 syntax; it may match anywhere in a sentence, in any case. */
  pattern: z.string(),
  category: categorySchema,
  enabled: z.boolean(),
  builtIn: z.boolean(),
})
export type DetectionPattern = z.infer<typeof detectionPatternSchema>

/** How a user's memory works. */
export const memorySettingsSchema = z.object({
  enabled: z.boolean(),
  autoDetection: z.boolean(),
  /** Models read what the user wrote, too, to suggest memories and to find them by meaning; charged to nobody. */
  semanticMemory: z.boolean(),
  /** Similar memories are suggested to be merged. */
  autoConsolidation: z.boolean(),
  /** Suggestions below it are not made. */
  confidenceThreshold: confidenceSchema,
  detectionPatterns: z.array(detectionPatternSchema),
  /** Suggestions of a category that is off are not made. */
  categoryPreferences: z.record(categorySchema, z.boolean()),
})
export type MemorySettings = z.infer<typeof memorySettingsSchema>

const patternChangeSchema = z.strictObject({
  /** Of one that there is. */
  id: idSchema.optional(),
  name: filledText(100).optional(),
  pattern: filledText(10_000).optional(),
  category: categorySchema.optional(),
  enabled: z.boolean().optional(),
  builtIn: z.boolean().optional(),
})
/** A change of the settings; `detectionPatterns` replaces the user's own ones, of built-in ones only `enabled` can be changed. */
export const memorySettingsPatchSchema = z.strictObject({
  ...memorySettingsSchema.omit({ detectionPatterns: true, categoryPreferences: true }).partial().shape,
  detectionPatterns: z.array(patternChangeSchema).max(500).optional(),
  categoryPreferences: z.partialRecord(categorySchema, z.boolean()).optional(),
})
export type MemorySettingsPatch = z.infer<typeof memorySettingsPatchSchema>

/** What was done with memories. */
export const memoryActions = [
  'remembered',
  'suggested',
  'approved',
  'dismissed',
  'edited',
  'deleted',
  'restored',
  'cleared',
] as const
export type MemoryAction = (typeof memoryActions)[number]
/** How suggestions have fared with a user, and what follows. */
export const memoryProfileSchema = z.object({
  /** Approved of all decided, 0 to 1; 0 before the first decision. */
  accuracy: z.number(),
  /** By the number of decisions: below 10, 50, 200, and from there on. */
  learningLevel: z.enum(['beginner', 'intermediate', 'advanced', 'expert']),
  suggestions: z.object({ seen: z.number().int(), approved: z.number().int(), rejected: z.number().int() }),
  /** Approved of all seen, 0 to 1. */
  approvalRate: z.number(),
  topKeywords: z.array(z.object({ word: z.string(), count: z.number().int() })),
  /** Newest first. */
  recentActivity: z.array(z.object({ at: timeSchema, action: z.enum(memoryActions), text: z.string() })),
  recommendations: z.array(z.object({ id: z.string(), text: z.string() })),
})
export type MemoryProfile = z.infer<typeof memoryProfileSchema>

/** A memory of an exported file; what else it has there is passed over. */
export const importedMemorySchema = z.object({
  text: filledText(maxMemoryLength),
  category: categorySchema.default('general'),
  confidence: confidenceSchema.default('high'),
  /** By which it is recognised, however often it is imported and whatever becomes of its text meanwhile. */
  id: idSchema.optional(),
  createdAt: timeSchema.optional(),
  status: z.literal('stored', 'A suggestion isn’t imported').optional(),
})
export type ImportedMemory = z.output<typeof importedMemorySchema>

/** What came of an import, in entries. */
export const memoryImportOutcomeSchema = z.object({
  imported: z.number().int(),
  /** The user has them already. */
  known: z.number().int(),
  /** The user has deleted them; left out unless they are asked for. */
  removed: z.number().int(),
  /** There is no room for them. */
  full: z.number().int(),
  /** Cannot be memories; `entry` counts from 1. */
  faults: z.array(z.object({ entry: z.number().int(), path: z.string(), message: z.string() })),
})
export type MemoryImportOutcome = z.infer<typeof memoryImportOutcomeSchema>

const service = 'memory'
const refusing = { guestRefusal: 'Memory is not available in guest mode. Please sign in to continue.' }
const own = { service, access: 'user', ...refusing } as const
const oneMemory = z.object({ memory: memorySchema })
const changeSchema = z.strictObject({
  text: filledText(maxMemoryLength).optional(),
  category: categorySchema.optional(),
})

/** One's own memories, suggestions and settings. */
export const memoryRoutes = {
  list: defineRoute({
    ...own,
    method: 'GET',
    path: '/memory',
    summary: 'Stored memories, newest first; query searches for all its words',
    query: pageQuerySchema.extend({
      query: text(200).optional(),
      category: categorySchema.optional(),
      confidence: confidenceSchema.optional(),
      /** Found in a chat, or written by the user. */
      source: z.enum(['chat', 'own']).optional(),
    }),
    answer: z.object({ items: z.array(memorySchema), nextCursor: z.string().nullable() }),
  }),
  add: defineRoute({
    ...own,
    method: 'POST',
    path: '/memory',
    summary: 'Remember a text; 200 when it is remembered already, 409 with 5,000 memories',
    status: 201,
    body: z.strictObject({
      text: filledText(maxMemoryLength),
      category: categorySchema.optional(),
      /** The message that it is taken from. */
      source: memorySourceSchema.optional(),
    }),
    answer: oneMemory,
  }),
  clear: defineRoute({
    ...own,
    method: 'DELETE',
    path: '/memory',
    summary: 'Delete all memories; restorable for 30 days',
    answer: z.object({ cleared: z.number().int() }),
  }),
  restoreCleared: defineRoute({
    ...own,
    method: 'POST',
    path: '/memory/restore',
    summary: 'Restore what the last clear took',
    answer: z.object({ restored: z.number().int() }),
  }),
  importAll: defineRoute({
    ...own,
    method: 'POST',
    path: '/memory/import',
    limited: true,
    bodyLimit: 8 * 1024 * 1024,
    bodyValues: 100_000,
    summary:
      'Import exported memories, at most 500 in a call; a second import adds nothing, and what the user has deleted stays out unless includeRemoved says otherwise',
    body: z.strictObject({
      /** Each as `GET /memory` and data exports have them; a faulty one is passed over and named in the answer. */
      memories: z.array(z.unknown()).max(maxImported),
      includeRemoved: z.boolean().default(false),
    }),
    answer: memoryImportOutcomeSchema,
  }),
  suggestions: defineRoute({
    ...own,
    method: 'GET',
    path: '/memory/suggestions',
    summary: 'Suggestions that wait for a decision, newest first',
    query: pageQuerySchema,
    answer: z.object({ items: z.array(memorySuggestionSchema), nextCursor: z.string().nullable() }),
  }),
  approveAll: defineRoute({
    ...own,
    method: 'POST',
    path: '/memory/suggestions/approve-all',
    summary: 'Store all suggestions, as far as there is room',
    answer: z.object({ approved: z.number().int() }),
  }),
  dismissAll: defineRoute({
    ...own,
    method: 'POST',
    path: '/memory/suggestions/dismiss-all',
    summary: 'Dismiss all suggestions',
    answer: z.object({ dismissed: z.number().int() }),
  }),
  approve: defineRoute({
    ...own,
    method: 'POST',
    path: '/memory/suggestions/:id/approve',
    summary: 'Store a suggestion, changed or as it is; 404 when it is decided already',
    params: idParamsSchema,
    body: changeSchema,
    bodyOptional: true,
    answer: oneMemory,
  }),
  dismiss: defineRoute({
    ...own,
    method: 'POST',
    path: '/memory/suggestions/:id/dismiss',
    summary: 'Dismiss a suggestion, which is not made again; 404 when it is decided already',
    params: idParamsSchema,
    status: 204,
  }),
  settings: defineRoute({
    ...own,
    method: 'GET',
    path: '/memory/settings',
    summary: 'How memory works for the user',
    answer: memorySettingsSchema,
  }),
  updateSettings: defineRoute({
    ...own,
    method: 'PATCH',
    path: '/memory/settings',
    summary: 'Change how memory works',
    bodyLimit: 256 * 1024,
    body: memorySettingsPatchSchema,
    answer: memorySettingsSchema,
  }),
  profile: defineRoute({
    ...own,
    method: 'GET',
    path: '/memory/profile',
    summary: 'How suggestions have fared, and recommendations',
    answer: memoryProfileSchema,
  }),
  change: defineRoute({
    ...own,
    method: 'PATCH',
    path: '/memory/:id',
    summary: 'Change a memory; 409 when another one has this text',
    params: idParamsSchema,
    body: changeSchema,
    answer: oneMemory,
  }),
  history: defineRoute({
    ...own,
    method: 'GET',
    path: '/memory/:id/history',
    summary: 'What a memory was, newest first; the last 50',
    params: idParamsSchema,
    answer: z.object({ items: z.array(z.object({ at: timeSchema, text: z.string(), category: categorySchema })) }),
  }),
  remove: defineRoute({
    ...own,
    method: 'DELETE',
    path: '/memory/:id',
    summary: 'Delete a memory, restorable for 30 days; forever=true for good, also one that was deleted before',
    params: idParamsSchema,
    query: z.object({ forever: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false) }),
    status: 204,
  }),
  restore: defineRoute({
    ...own,
    method: 'POST',
    path: '/memory/:id/restore',
    summary: 'Restore a memory that was deleted in the last 30 days',
    params: idParamsSchema,
    answer: oneMemory,
  }),
}

/** A memory as a prompt uses it. */
export const usedMemorySchema = z.object({ id: z.string(), text: z.string() })
export type UsedMemory = z.infer<typeof usedMemorySchema>

/** What chat asks of memory. */
export const memoryInternalRoutes = {
  relevant: defineRoute({
    method: 'POST',
    path: '/internal/memories/relevant',
    service,
    access: 'service',
    summary: "What a user's memories have to do with a message, the most relevant first; none while memory is off",
    bodyLimit: 1024 * 1024,
    body: z.strictObject({
      userId: idSchema,
      message: z.string(),
      /** Tokens that their texts may have together, estimated. */
      maxTokens: z.number().int().min(1),
    }),
    answer: z.object({ memories: z.array(usedMemorySchema) }),
  }),
}
