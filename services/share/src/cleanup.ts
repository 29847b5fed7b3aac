import type { Clock } from '@parley/kit'
import type { LinkState } from './link-state.ts'
import type { ShareLink } from './store/share-documents.ts'
import type { ShareStore } from './store/share-store.ts'

export interface CleanupDeps {
  readonly shares: ShareStore
  readonly state: Pick<LinkState, 'knownChats'>
  readonly now: Clock
}

/** Longer than a chat that was removed can be brought back. */
const restorableMs = 5 * 60_000
/** Longer than a link takes to be made. */
const madeMs = 10 * 60_000

/**
 * Removes what nobody can see any more: links whose chat is gone for good, and what a crash left of links that were being made or renewed.
 * @throws AppError unavailable when chat cannot be asked
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
