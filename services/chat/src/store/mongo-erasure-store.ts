import { erasedHash } from '@parley/kit'
import type { ErasureStore } from './erasure-store.ts'
import type { ChatModels } from './mongo-models.ts'
import { deleteAll, insertOnce } from './mongo-writes.ts'

/** Erasing on MongoDB. */
export const createMongoErasureStore = (models: ChatModels): ErasureStore => ({
  async erase(ownerId) {
    const { chats, messages, segments, sends, files, watchlists, usage, erased } = models
    await insertOnce(erased, { _id: hashOf(ownerId), erasedAt: new Date() })
    // Chats go first: who completes a turn of one that is gone takes it out again.
    await deleteAll(chats, { ownerId })
    await deleteAll(messages, { ownerId })
    await deleteAll(segments, { ownerId })
    await deleteAll(sends, { ownerId })
    await deleteAll(files, { ownerId })
    await watchlists.deleteOne({ _id: ownerId })
    await usage.deleteOne({ _id: ownerId })
  },
  isErased: (ownerId) => isErased(models, ownerId),
})

/** Whether this owner was erased. */
export const isErased = async ({ erased }: Pick<ChatModels, 'erased'>, ownerId: string): Promise<boolean> =>
  (await erased.exists({ _id: hashOf(ownerId) })) !== null

const hashOf = (ownerId: string): string => erasedHash(ownerId).toString('hex')
