import { createChange, type Documents, type Versioned } from '@parley/documents'
import { erasedHash } from '@parley/kit'
import {
  type ErasedOwner,
  pageId,
  type ShareLink,
  type Snapshot,
  type SnapshotMessage,
  type SnapshotPage,
} from './documents.ts'

/** The values that create or renew a link; views are kept. */
export type NewLink = Omit<ShareLink, 'views' | 'goneSince'>

/** The resulting link and whether it is new; or `erased` when its owner was erased concurrently and nothing was stored. */
export type Shared = { readonly link: ShareLink; readonly isNew: boolean } | 'erased'

/** Links and their snapshots. Every write is durable when it resolves; a link and its snapshot change atomically. */
export type ShareStore = ReturnType<typeof createShareStore>

/** The collections of the store, on one engine. */
export interface ShareDocuments {
  readonly links: Documents<ShareLink, 'by_share' | 'by_owner'>
  readonly snapshots: Documents<Snapshot, 'by_owner'>
  readonly pages: Documents<SnapshotPage, 'by_owner'>
  readonly erased: Documents<ErasedOwner>
}

const atOnce = 200
/** Links that are revoked concurrently. */
const revokedAtOnce = 20
const erasedId = (ownerId: string): string => erasedHash(ownerId).toString('hex')

/** A ShareStore on documents. */
export function createShareStore({ links, snapshots, pages, erased }: ShareDocuments) {
  const change = createChange(links)
  const removeSnapshot = async (snapshotId: string): Promise<void> => {
    const range = { from: pageId(snapshotId, 0), before: `${snapshotId}.` }
    while ((await pages.removeWhere('id', range, atOnce)) > 0);
    await snapshots.removeWhere('id', { equal: [snapshotId] }, 1)
  }
  const removeOwner = async (ownerId: string): Promise<void> => {
    const range = { equal: [ownerId] }
    while ((await links.removeWhere('by_owner', range, atOnce)) > 0);
    while ((await pages.removeWhere('by_owner', range, atOnce)) > 0);
    while ((await snapshots.removeWhere('by_owner', range, atOnce)) > 0);
  }
  const list = async (ownerId: string, limit: number, after?: Pick<ShareLink, 'id' | 'sharedAt'>) => {
    const page = { limit, descending: true, ...(after && { after }) }
    return (await links.find('by_owner', { equal: [ownerId] }, page)).map(({ doc }) => doc)
  }
  const revoke = async ({ shareId, snapshotId }: Pick<ShareLink, 'shareId' | 'snapshotId'>): Promise<boolean> => {
    const isRevoked = (await links.removeWhere('by_share', { equal: [shareId] }, 1)) > 0
    await removeSnapshot(snapshotId)
    return isRevoked
  }
  const find = async (shareId: string): Promise<ShareLink | undefined> => {
    const [found] = await links.find('by_share', { equal: [shareId] }, { limit: 1 })
    return found?.doc
  }
  const inStepsById = async function* <Doc extends { readonly id: string }>(documents: Documents<Doc>) {
    let last: Versioned<Doc> | undefined
    do {
      const found: readonly Versioned<Doc>[] = await documents.find(
        'id',
        {},
        { limit: atOnce, ...(last && { after: last.doc }) },
      )
      for (const { doc } of found) yield doc
      last = found.at(-1)
    } while (last !== undefined)
  }
  return {
    /** Upserts the link of a chat; an existing link keeps its id. */
    async share(link: NewLink, parts: readonly (readonly SnapshotMessage[])[]): Promise<Shared> {
      const { id: chatId, ownerId, snapshotId, sharedAt } = link
      await snapshots.insertOnce([{ id: snapshotId, chatId, ownerId, pages: parts.length, createdAt: sharedAt }])
      for (const [nth, messages] of parts.entries())
        await pages.insertOnce([{ id: pageId(snapshotId, nth), ownerId, messages }])
      const shared = await change(chatId, (found) => {
        const kept = { shareId: found?.shareId ?? link.shareId, views: found?.views ?? 0 }
        const next = { ...found, ...link, modelName: link.modelName, ...kept, goneSince: null }
        return { next, result: { link: next, isNew: found === undefined, former: found?.snapshotId } }
      })
      // An erasure that begins after this check finds and removes the link; an earlier one has left its mark.
      if ((await erased.get(erasedId(ownerId))) !== undefined) {
        await removeOwner(ownerId)
        return 'erased'
      }
      if (shared.former !== undefined) await removeSnapshot(shared.former)
      return shared
    },
    /** Undefined for an unknown or revoked link. */
    find,
    /** Undefined if the snapshot has no such page, or was replaced or removed. */
    page: async (snapshotId: string, page: number): Promise<SnapshotPage | undefined> =>
      (await pages.get(pageId(snapshotId, page)))?.doc,
    /** An owner's links, latest first. */
    list,
    /** The link of an owner's chat, if there is one. */
    async listOfChat(ownerId: string, chatId: string): Promise<readonly ShareLink[]> {
      const found = await links.get(chatId)
      return found?.doc.ownerId === ownerId ? [found.doc] : []
    },
    /** All links, ordered by chat id. */
    all: (): AsyncIterable<ShareLink> => inStepsById(links as Documents<ShareLink>),
    /** Resolves to false if the link no longer exists. */
    revoke,
    /** Resolves to the number of revoked links. */
    async revokeAll(ownerId: string): Promise<number> {
      let revoked = 0
      for (;;) {
        // Link by link: the pages of one that is being created must stay.
        const some = await list(ownerId, revokedAtOnce)
        revoked += (await Promise.all(some.map(revoke))).filter(Boolean).length
        if (some.length < revokedAtOnce) return revoked
      }
    },
    /** Counts one view; ignored once the link was revoked. */
    async countView({ id, shareId }: Pick<ShareLink, 'id' | 'shareId'>): Promise<void> {
      await change(id, (link) => ({
        result: undefined,
        next: link?.shareId === shareId ? { ...link, views: link.views + 1 } : undefined,
      }))
    },
    /** Records when the chat of a link was first found missing; null if it exists. */
    async noteGone({ id, shareId }: Pick<ShareLink, 'id' | 'shareId'>, goneSince: Date | null): Promise<void> {
      await change(id, (link) => ({
        result: undefined,
        next: link?.shareId === shareId ? { ...link, goneSince } : undefined,
      }))
    },
    /** Removes orphaned snapshots, which a crash may leave, created before `before`. */
    async removeUnlinked(before: Date): Promise<void> {
      for await (const { id, chatId, createdAt } of inStepsById(snapshots as Documents<Snapshot>)) {
        if (createdAt >= before) continue
        const link = await links.get(chatId)
        if (link?.doc.snapshotId !== id) await removeSnapshot(id)
      }
    },
    /** Removes everything of an owner, including links that are being created. Idempotent. */
    async erase(ownerId: string): Promise<void> {
      await erased.insertOnce([{ id: erasedId(ownerId), erasedAt: new Date() }])
      await removeOwner(ownerId)
    },
  }
}
