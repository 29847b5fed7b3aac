import { openMongo } from '@parley/db/mongo'
import { createLogger } from '@parley/kit'
import { testDatabase } from '@parley/testing/postgres'
import { testMongoUrl } from '@parley/testing/test-engines'
import { type ChatStores, openChatStores } from '../src/store/index.ts'
import { openMongoChatStores } from '../src/store/mongo-stores.ts'
import type { ChatEngine } from '../src/store/store-samples.contract.ts'

const log = createLogger('chat-contract', 'silent')

/** The engines that the stores are written for. */
export const chatEngines = [
  { name: 'PostgreSQL', needs: 'postgres', open: openPgEngine },
  { name: 'MongoDB', needs: 'mongo', open: openMongoEngine },
] as const

async function openPgEngine(): Promise<ChatEngine> {
  const database = await testDatabase()
  const open = () => openChatStores({ url: database.url, log })
  return await openTwice(open, () => database.drop())
}

async function openMongoEngine(): Promise<ChatEngine> {
  const url = testMongoUrl()
  return await openTwice(
    () => openMongoChatStores({ url, log }),
    () => dropMongo(url),
  )
}

async function openTwice(open: () => ChatStores, drop: () => Promise<void>): Promise<ChatEngine> {
  const [stores, replica] = [open(), open()]
  await stores.migrate()
  return {
    stores,
    replica,
    async close() {
      await Promise.all([stores.close(), replica.close()])
      await drop()
    },
  }
}

/** Removes a database of MongoDB with all that is in it. */
export async function dropMongo(url: string): Promise<void> {
  const database = openMongo({ url, log })
  await database.connection.dropDatabase()
  await database.close()
}
