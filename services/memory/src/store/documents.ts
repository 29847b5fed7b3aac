import {
  type MemoryAction,
  type MemoryCategory,
  type MemoryConfidence,
  memoryActions,
  memoryCategories,
  memoryConfidences,
} from '@parley/contracts'
import type { Collection } from '@parley/documents'
import { z } from 'zod'

const category = z.enum(memoryCategories)
const confidence = z.enum(memoryConfidences)

/** The text of a memory or suggestion. Its status is in the owner's account. */
export interface MemoryDocument {
  readonly id: string
  readonly ownerId: string
  readonly text: string
  readonly category: MemoryCategory
  readonly confidence: MemoryConfidence
  /** Why it was suggested; null if the user wrote it. */
  readonly reason: string | null
  readonly source: { readonly chatId: string; readonly messageId: string } | null
  /** Memories that it replaces once approved. */
  readonly merges: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly lastUsedAt: Date | null
  /** Former versions, oldest first; `at` is ISO 8601. */
  readonly history: readonly { readonly at: string; readonly text: string; readonly category: MemoryCategory }[]
}

const time = z.coerce.date()
/** The collection of texts. A document counts only while an account lists it. */
export const memoryDocuments: Collection<MemoryDocument, 'of_owner'> = {
  name: 'memories',
  schema: z.looseObject({
    id: z.string(),
    ownerId: z.string(),
    text: z.string(),
    category,
    confidence,
    reason: z.string().nullable(),
    source: z.object({ chatId: z.string(), messageId: z.string() }).nullable(),
    merges: z.array(z.string()),
    createdAt: time,
    updatedAt: time,
    lastUsedAt: time.nullable(),
    history: z.array(z.object({ at: z.string(), text: z.string(), category })),
  }),
  indexes: { of_owner: ['ownerId', 'createdAt'] },
}

const patternSchema = z.object({
  id: z.string(),
  name: z.string(),
  pattern: z.string(),
  category,
  enabled: z.boolean(),
})
const settingsSchema = z.object({
  enabled: z.boolean().default(true),
  autoDetection: z.boolean().default(true),
  semanticMemory: z.boolean().default(false),
  autoConsolidation: z.boolean().default(false),
  confidenceThreshold: confidence.default('medium'),
  ownPatterns: z.array(patternSchema).default([]),
  /** Ids of built-in patterns. */
  patternsOff: z.array(z.string()).default([]),
  categoriesOff: z.array(category).default([]),
})
/** The settings of a user. */
export type StoredSettings = z.output<typeof settingsSchema>

/** The default settings. */
export const defaultStoredSettings: StoredSettings = settingsSchema.parse({})

/** An entry of the activity log; `id` is the memory, or null for an act on `count` memories. */
export interface Activity {
  readonly at: string
  readonly action: MemoryAction
  readonly id: string | null
  readonly count: number
}

/** A restorable deleted memory; `clear` is the id of the act that cleared all memories, if it was one. */
export interface Deleted {
  readonly key: string
  readonly at: string
  readonly clear: string | null
}

/** A user's memories, decisions about suggestions, and settings: the one document on which every act is decided. */
export interface Account {
  /** The owner's id. */
  readonly id: string
  /** Ids by the key of the text (`textKey`). */
  readonly stored: Readonly<Record<string, string>>
  readonly pending: Readonly<Record<string, string>>
  /** Keys of texts not to suggest again, latest last. */
  readonly dismissed: readonly string[]
  /** By id. */
  readonly deleted: Readonly<Record<string, Deleted>>
  /** Ids of memories removed for good, which an import skips by default; latest last. */
  readonly forgotten: readonly string[]
  /** Ids that left the account lately. Their texts are deleted at once, and once more by `tidy`, since a failure may have left them. */
  readonly discarded: readonly string[]
  /** The last act that cleared all memories, until it is undone. */
  readonly lastClear: string | null
  readonly settings: StoredSettings
  readonly seen: number
  readonly approved: number
  readonly rejected: number
  /** Decisions by category. */
  readonly decided: Readonly<Record<string, { readonly approved: number; readonly rejected: number }>>
  /** Latest first. */
  readonly activity: readonly Activity[]
  /** When the next deleted memory is purged, or discarded texts are deleted once more. */
  readonly tidyAt: Date | null
  readonly vectors: AccountVectors
  /** When vectors are due next; null when there is no work, or no model for it. */
  readonly vectorsDueAt: Date | null
}

const vectorsSchema = z.object({
  /** The model whose vectors the stored memories have, except for stale ones; null for none. */
  space: z.string().nullable(),
  /** Ids whose vector must be created, or removed because the memory is no longer stored. */
  stale: z.array(z.string()),
  /** Failures since the last success. */
  tries: z.number(),
})
/** The state of an account's vectors. */
export type AccountVectors = z.output<typeof vectorsSchema>
/** The state without vectors. */
export const noVectors: AccountVectors = { space: null, stale: [], tries: 0 }

const ids = z.record(z.string(), z.string())
/** The accounts, one per owner. */
export const accountDocuments: Collection<Account, 'tidying' | 'vectors_due'> = {
  name: 'memory_accounts',
  schema: z.looseObject({
    id: z.string(),
    stored: ids,
    pending: ids,
    dismissed: z.array(z.string()),
    deleted: z.record(z.string(), z.object({ key: z.string(), at: z.string(), clear: z.string().nullable() })),
    forgotten: z.array(z.string()).default([]),
    discarded: z.array(z.string()).default([]),
    lastClear: z.string().nullable(),
    settings: settingsSchema,
    seen: z.number(),
    approved: z.number(),
    rejected: z.number(),
    decided: z.record(z.string(), z.object({ approved: z.number(), rejected: z.number() })),
    activity: z.array(
      z.object({ at: z.string(), action: z.enum(memoryActions), id: z.string().nullable(), count: z.number() }),
    ),
    tidyAt: time.nullable(),
    vectors: vectorsSchema.default(noVectors),
    vectorsDueAt: time.nullable().default(null),
  }),
  indexes: { tidying: ['tidyAt'], vectors_due: ['vectorsDueAt'] },
}

/** An empty account. */
export const newAccount = (ownerId: string): Account => ({
  id: ownerId,
  stored: {},
  pending: {},
  dismissed: [],
  deleted: {},
  forgotten: [],
  discarded: [],
  lastClear: null,
  settings: defaultStoredSettings,
  seen: 0,
  approved: 0,
  rejected: 0,
  decided: {},
  activity: [],
  tidyAt: null,
  vectors: noVectors,
  vectorsDueAt: null,
})

/**
 * The embedding of a stored memory, under the memory's id. A separate collection, because vectors are several times larger than the texts, which
 * lists and searches read. A vector counts only while the account lists the memory under the same key.
 */
export interface VectorDocument {
  readonly id: string
  readonly ownerId: string
  /** The key of the embedded text (`textKey`). */
  readonly key: string
  readonly space: string
  /** A unit vector: little-endian 32-bit floats as base64. */
  readonly data: string
}

/** The vectors of stored memories. */
export const vectorDocuments: Collection<VectorDocument, 'of_owner'> = {
  name: 'memory_vectors',
  schema: z.looseObject({ id: z.string(), ownerId: z.string(), key: z.string(), space: z.string(), data: z.string() }),
  indexes: { of_owner: ['ownerId'] },
}

/** Erased owners, by SHA-256 of their ids. */
export const erasedDocuments: Collection<{ readonly id: string }> = {
  name: 'erased_owners',
  schema: z.looseObject({ id: z.string() }),
  indexes: {},
}
