import { expect, it, vi } from 'vitest'
import { cleanUp } from './cleanup.ts'
import type { ShareLink } from './store/documents.ts'
import type { ShareStore } from './store/share-store.ts'

const minute = 60_000

it('a link is removed when its chat has been gone for over five minutes without a break', async () => {
  let link: Pick<ShareLink, 'id' | 'ownerId' | 'goneSince'> | undefined = { id: 'c', ownerId: 'u', goneSince: null }
  const shares = {
    async *all() {
      if (link !== undefined) yield link
    },
    noteGone: async (_link: unknown, goneSince: Date | null) => {
      if (link !== undefined) link = { ...link, goneSince }
    },
    revoke: async () => {
      link = undefined
    },
    removeUnlinked: async () => undefined,
  } as unknown as ShareStore
  const cleanedUp = async (minutes: number, isThere: boolean): Promise<boolean> => {
    const state = { knownChats: async () => new Set(isThere ? ['c'] : []) }
    await cleanUp({ shares, state, now: () => new Date(minutes * minute) }, new AbortController().signal)
    return link === undefined
  }
  expect(await cleanedUp(0, false)).toBe(false)
  // Restored, and removed again.
  expect(await cleanedUp(4, true)).toBe(false)
  expect(await cleanedUp(7, false)).toBe(false)
  expect(await cleanedUp(12, false)).toBe(false)
  expect(await cleanedUp(13, false)).toBe(true)
})

it('cleaning up keeps what may still be in the making, and ends with the service', async () => {
  const removeUnlinked = vi.fn(async (_before: Date) => undefined)
  const knownChats = vi.fn(async () => new Set<string>())
  const shares = {
    async *all() {
      yield { id: 'c', ownerId: 'u', goneSince: null }
    },
    noteGone: async () => undefined,
    removeUnlinked,
  } as unknown as ShareStore
  const deps = { shares, state: { knownChats }, now: () => new Date(60 * minute) }
  await cleanUp(deps, AbortSignal.abort())
  expect([knownChats.mock.calls, removeUnlinked.mock.calls]).toEqual([[], []])
  await cleanUp(deps, new AbortController().signal)
  expect(removeUnlinked).toHaveBeenCalledExactlyOnceWith(new Date(50 * minute))
})
