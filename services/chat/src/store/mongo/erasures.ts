import type { Documents, Identified } from '@parley/documents'
import { erasedHash } from '@parley/kit'
import type { ErasureStore } from '../erasure-store.ts'
import type { ChatModels } from './models.ts'
import { deleteAll, insertOnce } from './writes.ts'

/** Erasing on MongoDB. */
export const createMongoErasureStore = (
  models: ChatModels,
  watchlists: Pick<Documents<Identified>, 'removeWhere'>,
): ErasureStore => ({
  async erase(ownerId) {
    const { chats, messages, segments, sends, files, usage, erased } = models
    await insertOnce(erased, { _id: hashOf(ownerId), erasedAt: new Date() })
    // Chats go first: who completes a turn of one that is gone takes it out again.
    await deleteAll(chats, { ownerId })
    await deleteAll(messages, { ownerId })
    await deleteAll(segments, { ownerId })
    await deleteAll(sends, { ownerId })
    await deleteAll(files, { ownerId })
    await watchlists.removeWhere('id', { equal: [ownerId] }, 1)
    await usage.deleteOne({ _id: ownerId })
  },
  isErased: async (ownerId) => (await models.erased.exists({ _id: hashOf(ownerId) })) !== null,
})

const hashOf = (ownerId: string): string => erasedHash(ownerId).toString('hex')
