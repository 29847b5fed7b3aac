import { openMongo } from '@parley/db/mongo'
import { createLogger } from '@parley/kit'
import { onEngine, testMongoUrl } from '@parley/testing/test-engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChatModels } from '../src/store/mongo/models.ts'
import { openMongoChatStores } from '../src/store/mongo/open-stores.ts'
import { createMongoSearchStore } from '../src/store/mongo/search.ts'
import { dropMongo } from './chat-engines.ts'
import { sampleChat, sampleFinished, searchMemory, second } from './suites/samples.ts'

const log = createLogger('chat-contract', 'silent')

/** What Mongoose tells of an operation. */
interface Operation {
  readonly collectionName: string
  readonly method: string
  readonly params: readonly [filter: object, options?: { readonly maxTimeMS?: number }]
}

onEngine('mongo', () => {
  describe('a search on MongoDB', () => {
    const url = testMongoUrl()
    const stores = openMongoChatStores({ url, log })
    const database = openMongo({ url, log })
    const models = createChatModels(database.connection)
    beforeAll(async () => {
      await stores.migrate()
      await stores.chats.add(sampleChat('chat'))
      await stores.messages.append('chat', 'owner', [sampleFinished('old', { content: 'a needle' })])
      expect(await stores.search.index(second(1_000))).toBe(1)
    })
    afterAll(async () => {
      await stores.close()
      await database.close()
      await dropMongo(url)
    })

    // The engine of these tests is quick and ends nothing.
    it('limits the time of each of its queries', async () => {
      const asked: (readonly [collection: string, maxTimeMs: number | undefined])[] = []
      database.connection.on('operation-start', ({ collectionName, method, params }: Operation) => {
        if (method === 'find') asked.push([collectionName, params[1]?.maxTimeMS])
      })
      const hits = await createMongoSearchStore(models, searchMemory, 1_234).find('owner', 'needle', 10)
      expect(hits).toEqual([{ chatId: 'chat', messageId: 'old' }])
      expect(asked).toEqual(
        ['messages', 'search_segments', 'chats', 'search_segments'].map((collection) => [collection, 1_234]),
      )
    })

    it('that MongoDB ended for taking too long is refused, and can be repeated (503)', async () => {
      const ended = Object.assign(new Error('operation exceeded time limit'), { code: 50 })
      const messages = {
        find: () => {
          throw ended
        },
      }
      const search = createMongoSearchStore({ ...models, messages: messages as never }, searchMemory, 1_234)
      await expect(search.find('owner', 'needle', 10)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('took too long'),
        headers: { 'retry-after': expect.any(String) },
      })
    })

    it('leaves nothing of a chat that is purged while its messages are indexed', async () => {
      await stores.chats.add(sampleChat('gone'))
      await stores.messages.append('gone', 'owner', [sampleFinished('last words', { content: 'a secret' })])
      await stores.chats.remove('owner', ['gone'], second(0))
      const insertOnce = async (segment: { readonly chatId: string }) => {
        await stores.chats.purge(second(1))
        return await models.segments.insertOne(segment as never)
      }
      const segments = new Proxy(models.segments, {
        get: (model, name) => (name === 'insertOne' ? insertOnce : Reflect.get(model, name)),
      })
      expect(await createMongoSearchStore({ ...models, segments }, searchMemory, 1_234).index(second(1_000))).toBe(1)
      expect(await models.segments.find({}, { chatId: 1 }).lean()).toMatchObject([{ chatId: 'chat' }])
    })
  })
})
