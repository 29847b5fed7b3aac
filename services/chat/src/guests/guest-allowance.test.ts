import { defaultSettings } from '@parley/contracts'
import { expect, it } from 'vitest'
import type { GuestStore } from '../store/guest-store.ts'
import { createGuestAllowance } from './guest-allowance.ts'

it('no message is taken from a guest once guest mode is off, although it was on at the early check', async () => {
  const guest = { ...defaultSettings.guest, enabled: true }
  const taken: string[] = []
  const guests = {
    use: async () => ({ used: 0, resetsAt: new Date(60_000) }),
    take: async (bucket: string) => {
      taken.push(bucket)
      return { granted: true, used: 1, resetsAt: new Date(60_000) }
    },
  } as unknown as GuestStore
  const settings = { current: async () => ({ ...defaultSettings, guest }) } as never
  const allowance = createGuestAllowance({ guests, settings, now: () => new Date(0) })
  const origin = { sessionId: 's', network: '4:192.0.2.1' } as never
  await allowance.refuseEarly(origin)
  guest.enabled = false
  await expect(allowance.take(origin, 'g')).rejects.toMatchObject({ code: 'guest_mode_disabled' })
  expect(taken).toEqual([])
})

it('a message that a wider network has no room for is given back by the narrower buckets, and settled in all that took it', async () => {
  const settled: string[] = []
  const has = new Set(['guest:s', 'network:6:2001:db8:0:1'])
  const guests = {
    take: async (bucket: string) => ({ granted: has.has(bucket), used: 1, resetAt: new Date(60_000) }),
    settle: async (bucket: string, id: string, kept: boolean) => void settled.push(`${bucket} ${id} ${kept}`),
  } as unknown as GuestStore
  const settings = { current: async () => ({ ...defaultSettings, guest: { enabled: true, weeklyLimit: 3 } }) } as never
  const allowance = createGuestAllowance({ guests, settings, now: () => new Date(0) })
  const origin = { sessionId: 's', network: '6:2001:db8:0:1' } as never
  await expect(allowance.take(origin, 'g')).rejects.toMatchObject({ code: 'guest_limit_reached' })
  expect(settled.splice(0)).toEqual(['guest:s g false', 'network:6:2001:db8:0:1 g false'])
  await allowance.settle(origin, 'h', true)
  expect(settled).toEqual(['guest:s h true', 'network:6:2001:db8:0:1 h true', 'network:6/48:2001:db8:0 h true'])
})

it('a guest is told when the bucket is full again of which the fewest messages are left', async () => {
  const uses: Record<string, { used: number; resetAt: Date }> = {
    'guest:s': { used: 0, resetAt: new Date(60_000) },
    'network:4:192.0.2.1': { used: 1_000_000, resetAt: new Date(90_000) },
  }
  const guests = { use: async (bucket: string) => uses[bucket] } as unknown as GuestStore
  const settings = { current: async () => ({ ...defaultSettings, guest: { enabled: true, weeklyLimit: 3 } }) } as never
  const allowance = createGuestAllowance({ guests, settings, now: () => new Date(0) })
  expect(await allowance.read({ sessionId: 's', network: '4:192.0.2.1' } as never)).toEqual({
    remainingMessages: 0,
    messageLimit: 3,
    nextResetDate: new Date(90_000).toISOString(),
  })
})
