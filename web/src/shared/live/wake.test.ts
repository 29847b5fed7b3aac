import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { onBrowserWake, type WakeCause } from './wake.ts'

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

it('wake-ups are not reported after unsubscribing', () => {
  stop()
  browser.dispatchEvent(new Event('online'))
  vi.setSystemTime(Date.now() + 30_000)
  vi.advanceTimersByTime(2_000)
  expect(causes).toEqual([])
})
