import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchEnd } from './end-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a silent log is given up at the second time in a row that its answer has ended, as its end may be on its way', async () => {
  let ended: boolean | 'unknown' = true
  const watch = watchEnd(async () => {
    if (ended === 'unknown') throw new Error('The store is away')
    return ended
  }, 1_000)
  const isOverAfter = async (ms: number): Promise<boolean> => {
    await vi.advanceTimersByTimeAsync(ms)
    return watch.signal.aborted
  }
  expect(await isOverAfter(1_000)).toBe(false)
  watch.heard()
  expect(await isOverAfter(1_000)).toBe(false)
  ended = 'unknown'
  expect(await isOverAfter(1_000)).toBe(false)
  ended = true
  expect(await isOverAfter(1_000)).toBe(false)
  expect(await isOverAfter(1_000)).toBe(true)
  watch.stop()
})
