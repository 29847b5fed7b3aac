import { setImmediate } from 'node:timers/promises'
import { defaultSettings, type SettingsAnswer } from '@parley/contracts'
import { unavailable } from '@parley/kit'
import { describe, expect, it } from 'vitest'
import type { Usage } from '../store/usage-store.ts'
import { createQuota } from './quota.ts'
import { sizeText } from './size-text.ts'

/** A quota over an account that keeps so much, and settings that may be away. */
function given(usage: Usage, storage: SettingsAnswer['storage'], current?: () => Promise<SettingsAnswer>) {
  const settings: SettingsAnswer = { ...defaultSettings, registrationEnabled: true, storage }
  const live = { current: current ?? (async () => settings), lastKnown: () => settings, drop: () => undefined }
  return createQuota({ usage: { of: async () => usage }, settings: live })
}
const bounds = { maxChatsPerUser: 2, maxBytesPerUser: 100 }

describe('the quota of an account', () => {
  it('accepts what just fits, and refuses more', async () => {
    const quota = given({ chats: 1, bytes: 90 }, bounds)
    expect(await quota.addChat('owner', async () => 'added')).toBe('added')
    await quota.refuseBytes('owner', 10)
    await expect(quota.refuseBytes('owner', 11)).rejects.toMatchObject({ code: 'payload_too_large' })
    const full = given({ chats: 2, bytes: 100 }, bounds)
    await expect(full.addChat('owner', async () => 'added')).rejects.toMatchObject({ code: 'conflict' })
    await expect(full.refuseBytes('owner')).rejects.toMatchObject({ code: 'payload_too_large' })
  })

  it('counts every chat and byte that one act adds', async () => {
    const allotment = await given({ chats: 0, bytes: 0 }, bounds).allot('owner')
    expect([allotment.takeChat(60), allotment.takeChat(40)]).toEqual([undefined, undefined])
    expect(allotment.takeChat(0)).toMatchObject({ code: 'conflict' })
    const bytes = await given({ chats: 0, bytes: 50 }, bounds).allot('owner')
    expect(bytes.takeChat(51)).toMatchObject({ code: 'payload_too_large' })
  })

  it('has room for as many chats as are free, however many are added at once, and for more once chats were deleted', async () => {
    const usage = { chats: 0, bytes: 0 }
    const quota = given(usage, { maxChatsPerUser: 300, maxBytesPerUser: 0 })
    let atOnce = 0
    let most = 0
    const add = () =>
      quota.addChat('owner', async () => {
        atOnce += 1
        most = Math.max(most, atOnce)
        await setImmediate()
        usage.chats += 1
        atOnce -= 1
      })
    const outcomes = await Promise.allSettled(Array.from({ length: 500 }, add))
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect([usage.chats, refused.length]).toEqual([300, 200])
    for (const reason of refused) expect(reason).toMatchObject({ code: 'conflict' })
    expect(most).toBeGreaterThan(1)
    usage.chats -= 1
    await add()
    await expect(add()).rejects.toMatchObject({ code: 'conflict' })
  })

  it('is unlimited where the settings say 0', async () => {
    const quota = given({ chats: 1e6, bytes: 1e12 }, { maxChatsPerUser: 0, maxBytesPerUser: 0 })
    await quota.refuseBytes('owner', 1e12)
    expect(await quota.addChat('owner', async () => 'added')).toBe('added')
  })

  it.each([
    ['refuse', () => Promise.reject(unavailable())],
    ['do not answer', () => new Promise<SettingsAnswer>(() => undefined)],
  ])('goes by the last known settings while these %s', async (_how, current) => {
    const quota = given({ chats: 2, bytes: 0 }, bounds, current)
    expect(await quota.read('owner')).toEqual({ chats: { used: 2, limit: 2 }, bytes: { used: 0, limit: 100 } })
  })
})

it('sizes are shown in the unit in which they are short', () => {
  const sizes = [0, 203, 412_300, 3_140_000, 120_400_000, 1_000_000_000]
  expect(sizes.map(sizeText)).toEqual(['0 byte', '203 byte', '412 kB', '3.1 MB', '120 MB', '1 GB'])
})
