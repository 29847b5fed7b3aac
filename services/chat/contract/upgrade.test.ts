import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '@parley/db'
import { migrateMongo, openMongo } from '@parley/db/mongo'
import { createLogger } from '@parley/kit'
import { testDatabase, testPool } from '@parley/testing/postgres'
import { onEngine, testMongoUrl } from '@parley/testing/test-engines'
import { describe, expect, it } from 'vitest'
import type { ChatStores } from '../src/store/index.ts'
import { mongoMigrations } from '../src/store/mongo/migrations.ts'
import { openMongoChatStores } from '../src/store/mongo/open-stores.ts'
import { openPgChatStores } from '../src/store/postgres/open-stores.ts'
import { dropMongo } from './chat-engines.ts'
import { held, sampleGeneration, sampleMessage, second } from './suites/samples.ts'

const log = createLogger('chat-contract', 'silent')

/** What a chat was before its thread had a version that is shown, and before messages were searched. */
const oldChat = (id: string) => ({
  ...{ id, ownerId: 'owner', title: 'Kept', modelUsed: 'v3', pinned: false, messageCount: 3 },
  ...{ createdAt: second(0), updatedAt: second(4), deletedAt: null },
})
const usage = { inputTokens: 1, outputTokens: 2, estimated: false }
const ending = {
  ...{ outcome: 'complete', finishReason: 'stop', usage, failure: null, durationMs: 5 },
  credits: { charged: 1, remaining: 9 },
}
const question = { id: 'q', parentId: null, role: 'user', content: 'An old question', createdAt: second(1) }
const answer = { id: 'a', parentId: 'q', role: 'assistant', content: 'An old answer', createdAt: second(2) }
const redone = { id: 'a2', parentId: 'q', role: 'assistant', content: 'Another answer', createdAt: second(3) }
const place = { chatId: 'chat', ownerId: 'owner', status: 'complete', model: 'v3' }

/** The same on every engine: nothing is lost, the newest version is shown, everything is found, and the chat goes on. */
async function expectKept(stores: ChatStores): Promise<void> {
  const { chats, messages, search, generations, usage } = stores
  expect(await chats.find('chat', 'owner')).toMatchObject({ title: 'Kept', leafId: 'a2' })
  expect(await chats.find('empty', 'owner')).toMatchObject({ leafId: null })
  expect(await messages.path('chat', 'shown', 10)).toMatchObject([
    { id: 'a2', content: 'Another answer', versions: ['a', 'a2'], ending: { credits: { charged: 1 } } },
    { id: 'q', content: 'An old question', attachments: [], modes: [], events: [], search: null, feedback: null },
  ])
  for (const words of ['old question', 'old answer', 'another answer']) {
    expect(await search.find('owner', words, 10)).toHaveLength(1)
  }
  while ((await search.index(second(100))) > 0);
  for (const words of ['old question', 'old answer', 'another answer']) {
    expect(await search.find('owner', words, 10)).toHaveLength(1)
  }
  await usage.recount(new Date())
  const texts = [question, answer, redone].map(({ content }) => content).join('')
  expect(await usage.of('owner')).toEqual({ chats: 2, bytes: Buffer.byteLength(texts) })
  expect(await messages.show('chat', 'owner', 'a', second(5))).toBe('shown')
  const message = sampleMessage('q2', { chatId: 'chat', parentId: 'a', createdAt: second(6) })
  const generation = sampleGeneration('a3', { chatId: 'chat', parentId: 'q2', createdAt: second(7) })
  expect(await generations.begin(generation, held('r'), { message, follows: 'a' })).toBe('begun')
  expect((await messages.path('chat', 'shown', 10)).map(({ id }) => id)).toEqual(['a3', 'q2', 'a', 'q'])
}

onEngine('postgres', () => {
  describe('chats of an earlier release on PostgreSQL', () => {
    it('are kept, listed and searchable', async () => {
      const database = await testDatabase()
      const dir = await mkdtemp(join(tmpdir(), 'migrations-'))
      const all = fileURLToPath(new URL('../migrations', import.meta.url))
      for (const name of ['0001_chats_messages_guests.sql', '0002_begin_answer.sql']) {
        await cp(join(all, name), join(dir, name))
      }
      await migrate({ url: database.url, schema: 'chat', dir, log })
      const pool = testPool({ connectionString: database.url, max: 1 })
      const insert = async (table: string, row: object) => {
        const names = Object.keys(row).map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
        const values = Object.keys(row).map((_name, nth) => `$${nth + 1}`)
        await pool.query(`insert into chat.${table} (${names}) values (${values})`, Object.values(row))
      }
      for (const id of ['chat', 'empty']) await insert('chats', oldChat(id))
      for (const message of [question, answer, redone]) {
        const generation = message.role === 'user' ? null : { ending, opening: [], price: 1, guest: null }
        await insert('messages', { ...place, ...message, parentId: message.parentId ?? '', generation })
      }
      await pool.end()
      const stores = openPgChatStores({ url: database.url, log })
      await stores.migrate()
      await expectKept(stores)
      await stores.close()
      await Promise.all([database.drop(), rm(dir, { recursive: true })])
    })
  })
})

onEngine('mongo', () => {
  describe('chats of an earlier release on MongoDB', () => {
    it.each([
      ['are kept, listed and searchable', false],
      ['are so with a turn that nobody has put among the messages yet', true],
    ])('%s', async (_name, isPending) => {
      const url = testMongoUrl()
      await migrateMongo({ url, steps: mongoMigrations.slice(0, 1), log })
      const database = openMongo({ url, log })
      const [chats, messages] = [await database.collection('chats'), await database.collection('messages')]
      const toDocument = ({ id, ...message }: typeof question | typeof answer) => {
        const made = { reasoning: '', frames: [1], opening: [], price: 1, promptTokens: 1, reasoningMs: 0 }
        const its = message.role === 'user' ? {} : { ...made, guest: null, ending, stop: null, leaseOwner: null }
        return { _id: id, ...place, ...message, ...its }
      }
      for (const { id, ...chat } of ['chat', 'empty'].map(oldChat)) {
        const turn = { answer: toDocument(redone), question: null }
        await chats.insertOne({ _id: id, turns: 2, ...chat, ...(isPending && id === 'chat' && { turn }) } as never)
      }
      const kept = isPending ? [question, answer] : [question, answer, redone]
      for (const message of kept) await messages.insertOne(toDocument(message) as never)
      await database.close()
      const stores = openMongoChatStores({ url, log })
      await stores.migrate()
      await expectKept(stores)
      await stores.close()
      await dropMongo(url)
    })
  })
})
