import { defaultSettings } from '@parley/contracts'
import type { ServiceClient } from '@parley/kit'
import { afterEach, expect, it, vi } from 'vitest'
import { createRecentSettings } from './recent-settings.ts'

/** A fake auth with programmable answers, and a clock. */
function given() {
  let nowMs = 0
  const auth = {
    asked: 0,
    answer: async (): Promise<unknown> => ({ settings: { ...defaultSettings, creditWarningThreshold: 70 } }),
  }
  const client = {
    call: () => {
      auth.asked += 1
      return auth.answer()
    },
  } as unknown as ServiceClient
  const settings = createRecentSettings(client, () => new Date(nowMs))
  const threshold = async () => (await settings())?.creditWarningThreshold
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { auth, settings, threshold, pass }
}

afterEach(() => void vi.useRealTimers())

it('settings are fetched again after a second', async () => {
  const { auth, threshold, pass } = given()
  expect(await threshold()).toBe(70)
  pass(999)
  expect(await threshold()).toBe(70)
  expect(auth.asked).toBe(1)
  auth.answer = async () => ({ settings: { ...defaultSettings, creditWarningThreshold: 50 } })
  pass(1)
  expect(await threshold()).toBe(50)
})

it.each([
  ['is away', () => Promise.reject(new Error('away'))],
  ['does not answer', () => new Promise(() => undefined)],
])('settings are the last known ones while auth %s, and unknown if there are none', async (_how, answer) => {
  const { auth, threshold, pass } = given()
  expect(await threshold()).toBe(70)
  auth.answer = answer
  pass(1_000)
  expect(await threshold()).toBe(70)
  const fresh = given()
  fresh.auth.answer = answer
  expect(await fresh.threshold()).toBeUndefined()
})

it('settings that come late are unknown to a settlement, and known to who can wait', async () => {
  vi.useFakeTimers()
  const { auth, settings } = given()
  const { promise, resolve } = Promise.withResolvers<unknown>()
  auth.answer = () => promise
  const asked = [settings(), settings(3_000)]
  setTimeout(() => resolve({ settings: defaultSettings }), 1_000)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await Promise.all(asked)).toEqual([undefined, defaultSettings])
})
