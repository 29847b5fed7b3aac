import { createLogger } from '@parley/kit'
import { testDatabase } from '@parley/testing/postgres'
import { chatStoreContract } from '../src/store/chat-store.contract.ts'
import { abandonedStoreContract, generationStoreContract } from '../src/store/generation-store.contract.ts'
import { guestStoreContract } from '../src/store/guest-store.contract.ts'
import { openChatStores } from '../src/store/index.ts'
import { messageStoreContract } from '../src/store/message-store.contract.ts'
import { sendStoreContract } from '../src/store/send-store.contract.ts'
import type { ChatEngine, OpenChatEngine } from '../src/store/store-samples.contract.ts'

const engines: Readonly<Record<string, OpenChatEngine>> = { PostgreSQL: openPgEngine }

async function openPgEngine(): Promise<ChatEngine> {
  const database = await testDatabase()
  const log = createLogger('chat-contract', 'silent')
  const [stores, replica] = [openChatStores({ url: database.url, log }), openChatStores({ url: database.url, log })]
  await stores.migrate()
  return {
    stores,
    replica,
    async close() {
      await Promise.all([stores.close(), replica.close()])
      await database.drop()
    },
  }
}

for (const [engine, open] of Object.entries(engines)) {
  for (const contract of [
    chatStoreContract,
    messageStoreContract,
    generationStoreContract,
    abandonedStoreContract,
    sendStoreContract,
    guestStoreContract,
  ]) {
    contract(engine, open)
  }
}
