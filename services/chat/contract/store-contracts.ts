import { chatStoreContract } from '../src/store/chat-store.contract.ts'
import { continuedStoreContract } from '../src/store/continued-store.contract.ts'
import { erasureStoreContract } from '../src/store/erasure-store.contract.ts'
import { fileStoreContract } from '../src/store/file-store.contract.ts'
import { abandonedStoreContract, generationStoreContract } from '../src/store/generation-store.contract.ts'
import { guestStoreContract } from '../src/store/guest-store.contract.ts'
import { messageStoreContract } from '../src/store/message-store.contract.ts'
import { searchStoreContract } from '../src/store/search-store.contract.ts'
import { sendStoreContract } from '../src/store/send-store.contract.ts'
import type { ChatEngine } from '../src/store/store-samples.contract.ts'
import { usageStoreContract } from '../src/store/usage-store.contract.ts'
import { watchlistStoreContract } from '../src/store/watchlist-store.contract.ts'

/** The suites of all stores, on one engine. */
export function chatStoresContract(name: string, engine: ChatEngine): void {
  for (const contract of [
    chatStoreContract,
    messageStoreContract,
    generationStoreContract,
    abandonedStoreContract,
    continuedStoreContract,
    searchStoreContract,
    sendStoreContract,
    guestStoreContract,
    fileStoreContract,
    watchlistStoreContract,
    usageStoreContract,
    erasureStoreContract,
  ]) {
    contract(name, engine)
  }
}
