import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { onBrowserWake, pause, type WakeCause } from './wake.ts'

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
const browser = new EventTarget()
const causes: WakeCause[] = []
let stop = (): void => undefined

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', browser)
  page.visibilityState = 'visible'
  causes.splice(0)
  stop = onBrowserWake((cause) => causes.push(cause))
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('wake-ups distinguish a tab that becomes visible from a network that is back', () => {
  page.dispatchEvent(new Event('visibilitychange'))
  browser.dispatchEvent(new Event('online'))
  page.dispatchEvent(new Event('resume'))
  page.visibilityState = 'hidden'
  page.dispatchEvent(new Event('visibilitychange'))
  expect(causes).toEqual(['shown', 'network', 'network'])
})

it('a wake-up from sleep is detected by a jump of the clock, and not by passing time', () => {
  vi.advanceTimersByTime(60_000)
  expect(causes).toEqual([])
  vi.setSystemTime(Date.now() + 30_000)
  vi.advanceTimersByTime(2_000)
  expect(causes).toEqual(['network'])
})

it('a late timer of a hidden tab, which the browser throttles, is not a wake-up', () => {
  page.visibilityState = 'hidden'
  vi.setSystemTime(Date.now() + 60_000)
  vi.advanceTimersByTime(2_000)
  page.visibilityState = 'visible'
  vi.advanceTimersByTime(2_000)
  expect(causes).toEqual([])
})

it('a pause ends when its time is over, at a wake-up or when it is aborted, and then waits for none of them', async () => {
  const waiting = new Set<(cause: WakeCause) => void>()
  const onWake = (listener: (cause: WakeCause) => void) => {
    waiting.add(listener)
    return () => void waiting.delete(listener)
  }
  const aborted = new AbortController()
  const ends = [
    () => void vi.advanceTimersByTime(1_000),
    () => {
      for (const wake of waiting) wake('shown')
    },
    () => aborted.abort(),
  ]
  for (const end of ends) {
    const paused = pause(1_000, onWake, aborted.signal)
    expect(waiting.size).toBe(1)
    end()
    await paused
    // The one timer left is that of the browser's wake-ups.
    expect([waiting.size, vi.getTimerCount()]).toEqual([0, 1])
  }
  await pause(1_000, onWake, aborted.signal)
})

it('wake-ups are not reported after unsubscribing', () => {
  stop()
  browser.dispatchEvent(new Event('online'))
  vi.setSystemTime(Date.now() + 30_000)
  vi.advanceTimersByTime(2_000)
  expect(causes).toEqual([])
})
