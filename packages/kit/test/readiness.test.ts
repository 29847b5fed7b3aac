import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createReadiness } from '../src/index.ts'
import { recordedLog } from './recorded-log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const laterMs = 1_100

it('readiness stops waiting for an engine after 2 s, and logs this once per outage', async () => {
  let hangs = true
  const { log, lines } = recordedLog()
  const check = (): Promise<unknown> => (hangs ? new Promise(() => undefined) : Promise.resolve())
  const look = createReadiness({ checks: { store: check }, log })
  for (let call = 0; call < 3; call += 1) {
    const asked = look()
    // And one more: what has arrived by then would count.
    await vi.advanceTimersByTimeAsync(2_001)
    expect(await asked).toMatchObject({
      status: 'unready',
      failed: ['store'],
      reasons: { store: 'no answer within 2 s' },
    })
  }
  hangs = false
  await vi.advanceTimersByTimeAsync(laterMs)
  expect(await look()).toEqual({ status: 'ready', failed: [], engines: [{ name: 'store', ready: true }] })
  expect(lines.map(({ msg, reason }) => [msg, reason])).toEqual([
    ['an engine does not answer', 'no answer within 2 s'],
    ['an engine answers again', undefined],
  ])
})

it('readiness checks an engine once for all probes within a second', async () => {
  const check = vi.fn(async () => ({ lag: { group: 3 } }))
  const look = createReadiness({ checks: { bus: check }, log: recordedLog().log })
  const answers = await Promise.all(Array.from({ length: 50 }, look))
  expect(answers[49]?.engines).toEqual([{ name: 'bus', ready: true, lag: { group: 3 } }])
  expect(check).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(laterMs)
  await look()
  expect(check).toHaveBeenCalledTimes(2)
})

it('readiness depends on an optional engine only until it has responded once', async () => {
  let away = true
  const bus = () => (away ? Promise.reject(new Error('away')) : Promise.resolve())
  const look = createReadiness({ checks: { store: async () => undefined }, optional: { bus }, log: recordedLog().log })
  const next = async () => {
    await vi.advanceTimersByTimeAsync(laterMs)
    return await look()
  }
  expect(await next()).toMatchObject({ status: 'unready', failed: ['bus'], reasons: { bus: 'away' } })
  away = false
  expect(await next()).toMatchObject({ status: 'ready' })
  away = true
  const engines = [
    { name: 'store', ready: true },
    { name: 'bus', ready: false },
  ]
  expect(await next()).toEqual({ status: 'ready', failed: [], engines })
})
