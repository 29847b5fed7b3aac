import type { ChatSnapshot } from '@parley/contracts'
import type { Collection } from '@parley/documents'
import { z } from 'zod'

/** A link to a chat; a chat has at most one. */
export interface ShareLink {
  /** The chat's id. */
  readonly id: string
  /** The public id in the link's URL. */
  readonly shareId: string
  readonly ownerId: string
  /** The snapshot that it shows. */
  readonly snapshotId: string
  readonly title: string
  /** The beginning of the text, for link previews. */
  readonly description: string
  readonly model: string
  /** Missing in older links and where it was not known. */
  readonly modelName?: string | undefined
  readonly pages: number
  readonly sharedAt: Date
  /** Null for never. */
  readonly expiresAt: Date | null
  /** Null without a password. */
  readonly passwordHash: string | null
  readonly views: number
  /** When the chat was first found missing; null while it exists. */
  readonly goneSince: Date | null
}

/** An image of a shared message; chat stores its bytes. */
export interface SharedImage {
  /** Its page in the snapshot, and an unguessable part. */
  readonly id: string
  readonly fileId: string
  readonly mimeType: string
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** A stored message. */
export interface SnapshotMessage {
  readonly role: ChatSnapshot['messages'][number]['role']
  readonly content: string
  readonly images: readonly SharedImage[]
  /** ISO 8601. */
  readonly createdAt: string
}

/** A page of a snapshot. */
export interface SnapshotPage {
  /** See `pageId`. */
  readonly id: string
  readonly ownerId: string
  readonly messages: readonly SnapshotMessage[]
}

/** The record of a snapshot; written before its pages and removed after them, so that no page is orphaned. */
export interface Snapshot {
  readonly id: string
  readonly chatId: string
  readonly ownerId: string
  readonly pages: number
  readonly createdAt: Date
}

/** An erased owner, by the hash of their id. */
export interface ErasedOwner {
  readonly id: string
  readonly erasedAt: Date
}

/** The id of a page; ids of a snapshot sort by page. */
export const pageId = (snapshotId: string, page: number): string => `${snapshotId}-${String(page).padStart(6, '0')}`

export const shareLinks: Collection<ShareLink, 'by_share' | 'by_owner'> = {
  name: 'share_links',
  schema: z.looseObject({
    id: z.string(),
    shareId: z.string(),
    ownerId: z.string(),
    snapshotId: z.string(),
    title: z.string(),
    description: z.string(),
    model: z.string(),
    modelName: z.string().optional(),
    pages: z.number(),
    sharedAt: z.coerce.date(),
    expiresAt: z.coerce.date().nullable(),
    passwordHash: z.string().nullable(),
    views: z.number(),
    goneSince: z.coerce.date().nullable(),
  }),
  indexes: { by_share: ['shareId'], by_owner: ['ownerId', 'sharedAt'] },
}

export const snapshots: Collection<Snapshot, 'by_owner'> = {
  name: 'share_snapshots',
  schema: z.looseObject({
    id: z.string(),
    chatId: z.string(),
    ownerId: z.string(),
    pages: z.number(),
    createdAt: z.coerce.date(),
  }),
  indexes: { by_owner: ['ownerId'] },
}

const imageSchema = z.looseObject({
  id: z.string(),
  fileId: z.string(),
  mimeType: z.string(),
  width: z.number().optional(),
  height: z.number().optional(),
})

export const snapshotPages: Collection<SnapshotPage, 'by_owner'> = {
  name: 'share_pages',
  schema: z.looseObject({
    id: z.string(),
    ownerId: z.string(),
    messages: z.array(
      z.looseObject({
        role: z.enum(['user', 'assistant']),
        content: z.string(),
        images: z.array(imageSchema),
        createdAt: z.string(),
      }),
    ),
  }),
  indexes: { by_owner: ['ownerId'] },
}

export const erasedOwners: Collection<ErasedOwner> = {
  name: 'share_erased_owners',
  schema: z.looseObject({ id: z.string(), erasedAt: z.coerce.date() }),
  indexes: {},
}

/** All collections of share. */
export const shareCollections = [shareLinks, snapshots, snapshotPages, erasedOwners] as const
