import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLagWatch, createLogger, createMetrics, type DeadLetterCount } from '../src/index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const minuteMs = 60_000
/** The first look comes after some seconds. */
const firstLookMs = 10_000

function given() {
  const metrics = createMetrics('test', false)
  const bus = {
    health: vi.fn(async () => undefined),
    lag: vi.fn(async () => ({ 'test.group': 3 })),
    countDeadLetters: vi.fn(async (): Promise<DeadLetterCount[]> => []),
  }
  const watch = createLagWatch({ bus, metrics, log: createLogger('test', 'silent') })
  return { bus, watch, lagMetric: () => metrics.getSingleMetricAsString('event_bus_lag'), metrics }
}

it('the lag of a bus is a metric that is read once a minute, however often its health is checked', async () => {
  const { bus, watch, lagMetric } = given()
  watch.start(['test.group'])
  await vi.advanceTimersByTimeAsync(firstLookMs - 1)
  expect(await watch.health()).toEqual({ lag: undefined })
  await vi.advanceTimersByTimeAsync(1)
  for (let asked = 0; asked < 50; asked += 1) expect(await watch.health()).toEqual({ lag: { 'test.group': 3 } })
  expect(bus.lag.mock.calls).toEqual([[['test.group']]])
  expect(await lagMetric()).toContain('event_bus_lag{group="test.group",service="test"} 3')
  bus.lag.mockResolvedValue({ 'test.group': 0 })
  await vi.advanceTimersByTimeAsync(minuteMs)
  expect(await lagMetric()).toContain('event_bus_lag{group="test.group",service="test"} 0')
  watch.stop()
  await vi.advanceTimersByTimeAsync(3 * minuteMs)
  expect(bus.lag).toHaveBeenCalledTimes(2)
})

it('the dead letters of a group are a metric, which returns to 0 after they were replayed', async () => {
  const { bus, watch, metrics } = given()
  const letters = () => metrics.getSingleMetricAsString('event_bus_dead_letters')
  bus.countDeadLetters.mockResolvedValueOnce([{ group: 'test.group', count: 2, oldestAt: new Date() }])
  watch.start(['test.group'])
  await vi.advanceTimersByTimeAsync(firstLookMs)
  expect(await letters()).toContain('event_bus_dead_letters{group="test.group",service="test"} 2')
  await vi.advanceTimersByTimeAsync(minuteMs)
  expect(await letters()).toContain('event_bus_dead_letters{group="test.group",service="test"} 0')
  watch.stop()
})

it('a bus whose lag cannot be read is healthy, and an unavailable bus is not', async () => {
  const { bus, watch } = given()
  bus.lag.mockRejectedValue(new Error('too slow'))
  watch.start(['test.group'])
  await vi.advanceTimersByTimeAsync(firstLookMs)
  expect(await watch.health()).toEqual({ lag: undefined })
  bus.health.mockRejectedValue(new Error('away'))
  await expect(watch.health()).rejects.toThrow('away')
  watch.stop()
})
