import type { Clock } from '@parley/kit'
import type { LinkState } from './link-state.ts'
import type { ShareLink } from './store/documents.ts'
import type { ShareStore } from './store/share-store.ts'

export interface CleanupDeps {
  readonly shares: ShareStore
  readonly state: Pick<LinkState, 'knownChats'>
  readonly now: Clock
}

/** Longer than a removed chat can be restored. */
const restorableMs = 5 * 60_000
/** Longer than it takes to create a link. */
const madeMs = 10 * 60_000

/**
 * Removes links whose chat is gone for good, and snapshots orphaned by a crash while a link was created or renewed.
 * @throws AppError unavailable
 */
export async function cleanUp({ shares, state, now }: CleanupDeps, stopping: AbortSignal): Promise<void> {
  const at = now()
  for await (const link of shares.all()) {
    if (stopping.aborted) return
    const isThere = (await state.knownChats(link.ownerId, [link.id])).has(link.id)
    await followChat(shares, link, isThere, at)
  }
  await shares.removeUnlinked(new Date(at.getTime() - madeMs))
}

async function followChat(shares: ShareStore, link: ShareLink, isThere: boolean, at: Date): Promise<void> {
  const { goneSince } = link
  if (isThere) {
    if (goneSince !== null) await shares.noteGone(link, null)
  } else if (goneSince === null) {
    await shares.noteGone(link, at)
  } else if (at.getTime() - goneSince.getTime() > restorableMs) {
    await shares.revoke(link)
  }
}
