import type { RequestCount } from '@parley/contracts'
import { expect, it, onTestFinished } from 'vitest'
import { openBillingEngine } from './engine.ts'

it('a preview collects the minutes of those only who may have exceeded its limit within one of its windows', async () => {
  const engine = await openBillingEngine()
  onTestFinished(() => engine.close())
  const hour = Math.floor(Date.now() / 3_600_000) - 150
  const counted = (subject: string, minute: number, count: number): RequestCount => ({
    ...{ area: 'web', subject, userId: null, kind: 'sending', times: 1, minute, count },
  })
  const spread = Array.from({ length: 40 }, (_, nth) => counted('spread', (hour + 3 * nth) * 60, 1))
  const acrossTheHour = [counted('dense', hour * 60 + 59, 16), counted('dense', hour * 60 + 60, 15)]
  await engine.stores.requests.add('counts', [...spread, ...acrossTheHour])
  const from = new Date((hour - 1) * 3_600_000)
  const collected = async (windowMinutes: number, maxRequests = 30) => {
    const limit = { area: 'web', from, windowMinutes, maxRequests, after: undefined, limit: 10 } as const
    return (await engine.stores.requests.page(limit)).map(({ subject }) => subject)
  }
  expect(await collected(1)).toEqual([])
  expect(await collected(2)).toEqual(['dense'])
  expect(await collected(1_440)).toEqual(['dense'])
  expect(await collected(1_440, 7)).toEqual(['dense', 'spread'])
  expect(await collected(61, 1)).toEqual(['dense'])
})
