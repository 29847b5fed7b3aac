import { chatStoreContract } from './chats.ts'
import { continuedStoreContract } from './continued.ts'
import { erasureStoreContract } from './erasures.ts'
import { fileStoreContract } from './files.ts'
import { abandonedStoreContract, generationStoreContract } from './generations.ts'
import { guestStoreContract } from './guests.ts'
import { messageStoreContract } from './messages.ts'
import type { ChatEngine } from './samples.ts'
import { searchStoreContract } from './search.ts'
import { sendStoreContract } from './sends.ts'
import { usageStoreContract } from './usage.ts'
import { watchlistStoreContract } from './watchlists.ts'

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
