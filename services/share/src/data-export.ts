import { presentListed } from './present.ts'
import type { ShareLink } from './store/documents.ts'
import type { ShareStore } from './store/share-store.ts'

const atOnce = 100

/** A user's links and their contents for an export, one at a time, so that only one chat is in memory. */
export async function* exportedLinks(shares: ShareStore, ownerId: string): AsyncGenerator<object> {
  let last: ShareLink | undefined
  do {
    const links: readonly ShareLink[] = await shares.list(ownerId, atOnce, last)
    for (const link of links) yield { ...presentListed(link), messages: await messagesOf(shares, link) }
    last = links.at(-1)
  } while (last !== undefined)
}

async function messagesOf(shares: ShareStore, { snapshotId, pages }: ShareLink): Promise<readonly object[]> {
  const messages: object[] = []
  for (let nth = 0; nth < pages; nth += 1) {
    const page = await shares.page(snapshotId, nth)
    for (const { role, content, createdAt } of page?.messages ?? []) messages.push({ role, content, createdAt })
  }
  return messages
}
