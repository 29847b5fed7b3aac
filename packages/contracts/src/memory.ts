import { z } from 'zod'
import { maxMemoryLength, maxPatternName, memoryCategories, memoryConfidences } from './memory-constants.ts'
import { filledText, idSchema, pageQuerySchema, text, timeSchema } from './primitives.ts'
import { routesFor } from './route.ts'

/** Limit of stored memories per user. */
export const maxMemories = 5_000
/** Limit of memories per import call. */
export const maxImported = 500

const categorySchema = z.enum(memoryCategories)
const confidenceSchema = z.enum(memoryConfidences)

/** The message that a memory was taken from. */
const memorySourceSchema = z.object({ chatId: idSchema, messageId: idSchema })
/** A memory or suggestion. */
export const memorySchema = z.object({
  id: z.string(),
  text: z.string(),
  category: categorySchema,
  confidence: confidenceSchema,
  status: z.enum(['stored', 'pending']),
  source: memorySourceSchema.optional(),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  /** When it was last used in a prompt. */
  lastUsedAt: timeSchema.nullable(),
})
export type Memory = z.infer<typeof memorySchema>

/** A suggested memory, pending the user's decision. */
export const memorySuggestionSchema = memorySchema.extend({
  /** Why it is suggested, for display. */
  reason: z.string(),
  /** Stored memories that it replaces once approved. */
  merges: z.array(z.string()).optional(),
})
export type MemorySuggestion = z.infer<typeof memorySuggestionSchema>

/** A pattern that detects suggestions. */
export const detectionPatternSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** RE2 syntax; matches anywhere in a sentence, ignoring case. */
  pattern: z.string(),
  category: categorySchema,
  enabled: z.boolean(),
  builtIn: z.boolean(),
})
export type DetectionPattern = z.infer<typeof detectionPatternSchema>

/** A user's memory settings. */
export const memorySettingsSchema = z.object({
  enabled: z.boolean(),
  autoDetection: z.boolean(),
  /** Whether models also read the user's messages, to suggest memories and find them by meaning; free of charge. */
  semanticMemory: z.boolean(),
  /** Whether merging similar memories is suggested. */
  autoConsolidation: z.boolean(),
  /** The minimum confidence of suggestions. */
  confidenceThreshold: confidenceSchema,
  detectionPatterns: z.array(detectionPatternSchema),
  /** Categories that are false are not suggested. */
  categoryPreferences: z.record(categorySchema, z.boolean()),
})
export type MemorySettings = z.infer<typeof memorySettingsSchema>

const patternChangeSchema = z.strictObject({
  /** The id of an existing pattern; omitted for a new one. */
  id: idSchema.optional(),
  name: filledText(maxPatternName).optional(),
  pattern: filledText(10_000).optional(),
  category: categorySchema.optional(),
  enabled: z.boolean().optional(),
  builtIn: z.boolean().optional(),
})
/** A patch of the settings. `detectionPatterns` replaces the user's own patterns; of built-in ones only `enabled` can be changed. */
export const memorySettingsPatchSchema = z.strictObject({
  ...memorySettingsSchema.omit({ detectionPatterns: true, categoryPreferences: true }).partial().shape,
  detectionPatterns: z.array(patternChangeSchema).max(500).optional(),
  categoryPreferences: z.partialRecord(categorySchema, z.boolean()).optional(),
})
export type MemorySettingsPatch = z.infer<typeof memorySettingsPatchSchema>

/** Actions in the activity log. */
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
/** Statistics of a user's suggestions, and recommendations. */
export const memoryProfileSchema = z.object({
  /** Approved suggestions by decided ones, 0 to 1; 0 before the first decision. */
  accuracy: z.number(),
  /** By the number of decisions: below 10, 50, 200, or more. */
  learningLevel: z.enum(['beginner', 'intermediate', 'advanced', 'expert']),
  suggestions: z.object({ seen: z.number().int(), approved: z.number().int(), rejected: z.number().int() }),
  /** Approved suggestions by all made, 0 to 1. */
  approvalRate: z.number(),
  topKeywords: z.array(z.object({ word: z.string(), count: z.number().int() })),
  /** Newest first. */
  recentActivity: z.array(z.object({ at: timeSchema, action: z.enum(memoryActions), text: z.string() })),
  recommendations: z.array(z.object({ id: z.string(), text: z.string() })),
})
export type MemoryProfile = z.infer<typeof memoryProfileSchema>

/** A memory in an exported file; other fields are ignored. */
export const importedMemorySchema = z.object({
  text: filledText(maxMemoryLength),
  category: categorySchema.default('general'),
  confidence: confidenceSchema.default('high'),
  /** Identifies it in repeated imports, even if its text was edited meanwhile. */
  id: idSchema.optional(),
  createdAt: timeSchema.optional(),
  status: z.literal('stored', 'A suggestion isn’t imported').optional(),
})
export type ImportedMemory = z.output<typeof importedMemorySchema>

/** The result of an import, in entries. */
export const memoryImportOutcomeSchema = z.object({
  imported: z.number().int(),
  /** Already stored. */
  known: z.number().int(),
  /** Deleted by the user before; skipped unless requested. */
  removed: z.number().int(),
  /** Over the limit of memories. */
  full: z.number().int(),
  /** Invalid entries; `entry` counts from 1. */
  faults: z.array(z.object({ entry: z.number().int(), path: z.string(), message: z.string() })),
})
export type MemoryImportOutcome = z.infer<typeof memoryImportOutcomeSchema>

const user = routesFor('memory', 'user', {
  guestRefusal: 'Memory is not available in guest mode. Please sign in to continue.',
})
const internal = routesFor('memory', 'service')
const oneMemory = z.object({ memory: memorySchema })
const changeSchema = z.strictObject({
  text: filledText(maxMemoryLength).optional(),
  category: categorySchema.optional(),
})

/** Routes of the caller's memories, suggestions and settings. */
export const memoryRoutes = {
  list: user.get('/memory', {
    summary: 'Stored memories, newest first; query finds those with all its words',
    query: pageQuerySchema.extend({
      query: text(200).optional(),
      category: categorySchema.optional(),
      confidence: confidenceSchema.optional(),
      /** Detected in a chat, or written by the user. */
      source: z.enum(['chat', 'own']).optional(),
    }),
    answer: z.object({ items: z.array(memorySchema), nextCursor: z.string().nullable() }),
  }),
  add: user.post('/memory', {
    summary: 'Add a memory; 200 if it exists already, 409 beyond 5,000 memories',
    status: 201,
    mayExist: true,
    body: z.strictObject({
      text: filledText(maxMemoryLength),
      category: categorySchema.optional(),
      /** The message that it was taken from. */
      source: memorySourceSchema.optional(),
    }),
    answer: oneMemory,
  }),
  clear: user.delete('/memory', {
    summary: 'Delete all memories; restorable for 30 days',
    answer: z.object({ cleared: z.number().int() }),
  }),
  restoreCleared: user.post('/memory/restore', {
    summary: 'Undo the last clear',
    answer: z.object({ restored: z.number().int() }),
  }),
  importAll: user.post('/memory/import', {
    limited: true,
    bodyLimit: 8 * 1024 * 1024,
    bodyValues: 100_000,
    summary:
      'Import exported memories, up to 500 per call; a repeated import adds nothing, and memories deleted by the user are skipped unless includeRemoved is set',
    body: z.strictObject({
      /** In the format of `GET /memory` and data exports; invalid ones are skipped and reported. */
      memories: z.array(z.unknown()).max(maxImported),
      includeRemoved: z.boolean().default(false),
    }),
    answer: memoryImportOutcomeSchema,
  }),
  suggestions: user.get('/memory/suggestions', {
    summary: 'Pending suggestions, newest first',
    query: pageQuerySchema,
    answer: z.object({ items: z.array(memorySuggestionSchema), nextCursor: z.string().nullable() }),
  }),
  approveAll: user.post('/memory/suggestions/approve-all', {
    summary: 'Approve all suggestions, up to the limit of memories',
    answer: z.object({ approved: z.number().int() }),
  }),
  dismissAll: user.post('/memory/suggestions/dismiss-all', {
    summary: 'Dismiss all suggestions',
    answer: z.object({ dismissed: z.number().int() }),
  }),
  approve: user.post('/memory/suggestions/:id/approve', {
    summary: 'Approve a suggestion, unchanged or edited; 404 if it is already decided',
    body: changeSchema,
    bodyOptional: true,
    answer: oneMemory,
  }),
  dismiss: user.post('/memory/suggestions/:id/dismiss', {
    summary: 'Dismiss a suggestion, which is not made again; 404 if it is already decided',
    status: 204,
  }),
  settings: user.get('/memory/settings', {
    summary: "The user's memory settings",
    answer: memorySettingsSchema,
  }),
  updateSettings: user.patch('/memory/settings', {
    summary: 'Change the memory settings',
    bodyLimit: 256 * 1024,
    body: memorySettingsPatchSchema,
    answer: memorySettingsSchema,
  }),
  profile: user.get('/memory/profile', {
    summary: 'Statistics of suggestions, and recommendations',
    answer: memoryProfileSchema,
  }),
  change: user.patch('/memory/:id', {
    summary: 'Edit a memory; 409 if another one has this text',
    body: changeSchema,
    answer: oneMemory,
  }),
  history: user.get('/memory/:id/history', {
    summary: 'Former versions of a memory, newest first; the last 50',
    answer: z.object({ items: z.array(z.object({ at: timeSchema, text: z.string(), category: categorySchema })) }),
  }),
  remove: user.delete('/memory/:id', {
    summary: 'Delete a memory, restorable for 30 days; with forever=true for good, even if it was deleted before',
    query: z.object({ forever: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false) }),
    status: 204,
  }),
  restore: user.post('/memory/:id/restore', {
    summary: 'Restore a memory deleted in the last 30 days',
    answer: oneMemory,
  }),
}

/** A memory used in a prompt. */
export const usedMemorySchema = z.object({ id: z.string(), text: z.string() })
export type UsedMemory = z.infer<typeof usedMemorySchema>

/** Internal routes of memory, for chat. */
export const memoryInternalRoutes = {
  relevant: internal.post('/internal/memories/relevant', {
    summary: "A user's memories relevant to a message, most relevant first; none while memory is off",
    bodyLimit: 1024 * 1024,
    body: z.strictObject({
      userId: idSchema,
      message: z.string(),
      /** Budget of estimated tokens for all texts together. */
      maxTokens: z.number().int().min(1),
    }),
    answer: z.object({ memories: z.array(usedMemorySchema) }),
  }),
}
