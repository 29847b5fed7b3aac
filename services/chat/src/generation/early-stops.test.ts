import { expect, it } from 'vitest'
import { createEarlyStops } from './early-stops.ts'

const stop = (clientMessageId: string, ownerId = 'owner') => ({ ownerId, clientMessageId })

it('an early stop holds for its owner and its id, for a minute', () => {
  let at = 0
  const stops = createEarlyStops(() => at)
  stops.remember(stop('a'))
  expect([stops.has(stop('a')), stops.has(stop('b')), stops.has(stop('a', 'other'))]).toEqual([true, false, false])
  at = 59_999
  expect(stops.has(stop('a'))).toBe(true)
  at = 60_000
  expect(stops.has(stop('a'))).toBe(false)
})

it('early stops of one owner evict none of another', () => {
  const stops = createEarlyStops(() => 0)
  stops.remember(stop('a', 'other'))
  for (let nth = 0; nth < 10_000; nth += 1) stops.remember(stop(`${nth}`))
  expect(stops.has(stop('a', 'other'))).toBe(true)
  expect([stops.has(stop('9979')), stops.has(stop('9980'))]).toEqual([false, true])
})
