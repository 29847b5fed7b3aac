import type { Subscription } from '@parley/bus'
import { contributeToExport, jsonLines, type NewId, type ServiceClient } from '@parley/kit'
import { presentListed } from './present.ts'
import type { ShareLink } from './store/documents.ts'
import type { ShareStore } from './store/share-store.ts'

export interface ExportDeps {
  readonly stores: { readonly shares: ShareStore }
  readonly client: Pick<ServiceClient, 'call'>
  readonly newId: NewId
}

const atOnce = 100

/** Contributes a user's links and their contents. If this fails for good, auth requests them again with a new event. */
export const exportSubscription = ({ stores, client, newId }: ExportDeps): Subscription => ({
  group: 'share.data-exports',
  handlers: {
    'auth.data-export-requested': async ({ data: { userId, exportId } }) => {
      const content = jsonLines(linksOf(stores.shares, userId))
      await contributeToExport({ client, service: 'share', exportId, newId }, [{ path: 'shared-links.json', content }])
    },
  },
})

/** One at a time, so that only one chat is in memory. */
async function* linksOf(shares: ShareStore, ownerId: string): AsyncGenerator<object> {
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
