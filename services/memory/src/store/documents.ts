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

/** A text that a user wants remembered, or may want. What has become of it stands in the owner's account. */
export interface MemoryDocument {
  readonly id: string
  readonly ownerId: string
  readonly text: string
  readonly category: MemoryCategory
  readonly confidence: MemoryConfidence
  /** Why it was suggested; null for one that the user wrote. */
  readonly reason: string | null
  readonly source: { readonly chatId: string; readonly messageId: string } | null
  /** Memories in whose place it comes once it is approved. */
  readonly merges: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly lastUsedAt: Date | null
  /** What it was before its edits, the oldest first; `at` is an ISO time. */
  readonly history: readonly { readonly at: string; readonly text: string; readonly category: MemoryCategory }[]
}

const time = z.coerce.date()
/** The texts. A document that no account names is not there. */
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
/** What a user has chosen. */
export type StoredSettings = z.output<typeof settingsSchema>

/** A user who has chosen nothing. */
export const defaultStoredSettings: StoredSettings = settingsSchema.parse({})

/** Something that was done; `id` is the memory, or null for an act on several, of which `count` tells how many. */
export interface Activity {
  readonly at: string
  readonly action: MemoryAction
  readonly id: string | null
  readonly count: number
}

/** A deleted memory that can be restored; `clear` is the act that deleted all. */
export interface Deleted {
  readonly key: string
  readonly at: string
  readonly clear: string | null
}

/** Which memories a user has, what was decided about suggestions, and the settings. The one document by which each act is decided. */
export interface Account {
  /** The owner's. */
  readonly id: string
  /** Ids by what stands for the text (`textKey`). */
  readonly stored: Readonly<Record<string, string>>
  readonly pending: Readonly<Record<string, string>>
  /** Keys of texts that are not suggested again, the latest last. */
  readonly dismissed: readonly string[]
  /** By id. */
  readonly deleted: Readonly<Record<string, Deleted>>
  /** Ids of memories that are gone for good, which no import brings back by itself, the latest last. */
  readonly forgotten: readonly string[]
  /** The last act that deleted all, until it is undone. */
  readonly lastClear: string | null
  readonly settings: StoredSettings
  readonly seen: number
  readonly approved: number
  readonly rejected: number
  /** Decisions by category. */
  readonly decided: Readonly<Record<string, { readonly approved: number; readonly rejected: number }>>
  /** The latest first. */
  readonly activity: readonly Activity[]
  /** When the next of the deleted ones goes for good. */
  readonly tidyAt: Date | null
  readonly vectors: AccountVectors
  /** When they are next worked on; null when nothing is to do, or nobody can do it. */
  readonly vectorsDueAt: Date | null
}

const vectorsSchema = z.object({
  /** Which model's vectors the stored memories have, but for the stale ones; null for none. */
  space: z.string().nullable(),
  /** Ids whose vector is to be made, or removed as they are stored no longer. */
  stale: z.array(z.string()),
  /** Failures since something was last made. */
  tries: z.number(),
})
/** How far the vectors of an account are made. */
export type AccountVectors = z.output<typeof vectorsSchema>
/** Those of an account that has none. */
export const noVectors: AccountVectors = { space: null, stale: [], tries: 0 }

const ids = z.record(z.string(), z.string())
/** The accounts, one for each owner. */
export const accountDocuments: Collection<Account, 'tidying' | 'vectors_due'> = {
  name: 'memory_accounts',
  schema: z.looseObject({
    id: z.string(),
    stored: ids,
    pending: ids,
    dismissed: z.array(z.string()),
    deleted: z.record(z.string(), z.object({ key: z.string(), at: z.string(), clear: z.string().nullable() })),
    forgotten: z.array(z.string()).default([]),
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

/** A user who has done nothing yet. */
export const newAccount = (ownerId: string): Account => ({
  id: ownerId,
  stored: {},
  pending: {},
  dismissed: [],
  deleted: {},
  forgotten: [],
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
 * What a stored memory means, as a model sees it, under the memory's id. In a collection of their own, as they are several times larger than the texts,
 * which lists and searches read. One counts only while the account names the memory by the same key.
 */
export interface VectorDocument {
  readonly id: string
  readonly ownerId: string
  /** Of the text that it was made of (`textKey`). */
  readonly key: string
  readonly space: string
  /** Of length 1: little-endian 32-bit floats as base64. */
  readonly data: string
}

/** The vectors of stored memories. */
export const vectorDocuments: Collection<VectorDocument, 'of_owner'> = {
  name: 'memory_vectors',
  schema: z.looseObject({ id: z.string(), ownerId: z.string(), key: z.string(), space: z.string(), data: z.string() }),
  indexes: { of_owner: ['ownerId'] },
}

/** Owners that were erased: SHA-256 of their ids. */
export const erasedDocuments: Collection<{ readonly id: string }> = {
  name: 'erased_owners',
  schema: z.looseObject({ id: z.string() }),
  indexes: {},
}
