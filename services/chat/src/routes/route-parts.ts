import type { Parts } from '../parts.ts'
import { type BodyMemory, createBodyMemory } from './body-memory.ts'

/** What the routes share: the parts of chat, the memory for bodies, and how far the service drains. */
export interface RouteParts extends Parts {
  /** Of uploads and large sends. */
  readonly bodies: BodyMemory
  /** Of large imports, which are held for longer. */
  readonly importBodies: BodyMemory
  /** Files, pages of chats and exports, until their readers have taken them. */
  readonly downloadMemory: BodyMemory
  /** True once the service drains: it begins no answer and no image then. */
  readonly draining: () => boolean
  /** Aborts when streams of answers that are made elsewhere have to end: their readers resume there. */
  readonly disconnectReaders: AbortSignal
}

const megabyte = 1024 * 1024

/** Parts whose memory is that of the container that the README counts with. */
export const createRouteParts = (
  parts: Parts,
  drain: Pick<RouteParts, 'draining' | 'disconnectReaders'>,
): RouteParts => ({
  ...parts,
  ...drain,
  bodies: createBodyMemory({ all: 64 * megabyte, network: 48 * megabyte }),
  importBodies: createBodyMemory({ all: 96 * megabyte, network: 64 * megabyte }),
  downloadMemory: createBodyMemory({ all: 32 * megabyte, network: 24 * megabyte }),
})
