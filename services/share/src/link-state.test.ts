import type { ServiceClient } from '@parley/kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLinkState } from './link-state.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The link of one chat; chat's answers are counted. */
function given() {
  const chat = { isThere: true, isAway: false, asked: 0 }
  const call = async () => {
    chat.asked += 1
    if (chat.isAway) throw new Error('away')
    return { ids: chat.isThere ? ['c'] : [] }
  }
  const owner = { isThere: true, isBanned: false }
  const rights = async () =>
    owner.isThere ? { isAdmin: false, isSuperAdmin: false, isBanned: owner.isBanned, emailVerified: true } : undefined
  const client = { call } as unknown as Pick<ServiceClient, 'call'>
  const state = createLinkState({ client, principals: { rights }, now: () => new Date() })
  const isLive = (expiresAt: Date | null = null) => state.isLive({ id: 'c', ownerId: 'u', expiresAt })
  return { chat, owner, state, isLive }
}

it('a link ends in the millisecond of its expiry', async () => {
  const { isLive } = given()
  expect(await isLive(new Date(Date.now() + 1))).toBe(true)
  expect(await isLive(new Date())).toBe(false)
})

it('a link of an owner who is banned or deleted is not live', async () => {
  const { owner, isLive } = given()
  expect(await isLive()).toBe(true)
  owner.isBanned = true
  expect(await isLive()).toBe(false)
  owner.isBanned = false
  owner.isThere = false
  expect(await isLive()).toBe(false)
})

it('a removed chat ends its link at once where that is heard of, and within a second where not', async () => {
  const { chat, state, isLive } = given()
  expect(await isLive()).toBe(true)
  chat.isThere = false
  expect([await isLive(), chat.asked]).toEqual([true, 1])
  state.dropChat('c')
  expect([await isLive(), chat.asked]).toEqual([false, 2])
  chat.isThere = true
  // The signal of its restoration may have been missed.
  state.clear()
  expect([await isLive(), chat.asked]).toEqual([true, 3])
  chat.isThere = true
  vi.advanceTimersByTime(1_001)
  expect(await isLive()).toBe(true)
})

it.each([
  [
    'found missing',
    async ({ chat, isLive }: ReturnType<typeof given>) => {
      chat.isThere = false
      vi.advanceTimersByTime(1_001)
      expect(await isLive()).toBe(false)
    },
  ],
  ['removed', async ({ state }: ReturnType<typeof given>) => state.dropChat('c')],
  ['perhaps removed', async ({ state }: ReturnType<typeof given>) => state.clear()],
])('a chat that was %s is not shown while chat is unavailable', async (_how, end) => {
  const it = given()
  expect(await it.isLive()).toBe(true)
  it.chat.isAway = true
  vi.advanceTimersByTime(1_001)
  expect(await it.isLive()).toBe(true)
  it.chat.isAway = false
  await end(it)
  it.chat.isAway = true
  vi.advanceTimersByTime(1_001)
  await expect(it.isLive()).rejects.toThrow('away')
})
