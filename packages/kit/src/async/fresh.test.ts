import { beforeEach, expect, it } from 'vitest'
import { createFresh, createFreshValue } from './fresh.ts'

let ms = 0
const now = () => new Date(ms)
beforeEach(() => {
  ms = 1_000_000
})

/** A source whose fetches are answered by hand, in the order in which they began. */
function slowSource() {
  const fetches: PromiseWithResolvers<string>[] = []
  const fetch = (): Promise<string> => {
    const fetched = Promise.withResolvers<string>()
    fetches.push(fetched)
    return fetched.promise
  }
  return { fetch, count: () => fetches.length, answer: (nth: number, value: string) => fetches[nth]?.resolve(value) }
}
const away = () => Promise.reject(new Error('away'))

it('a cached value can be read synchronously, but not while it is being loaded', async () => {
  const clock = { ms: 0 }
  const fresh = createFreshValue<number>({ maxAgeMs: 10, now: () => new Date(clock.ms) })
  const fetched = fresh.get(async () => 1)
  expect(fresh.peek()).toBeUndefined()
  await fetched
  expect(fresh.peek()).toBe(1)
  clock.ms = 10
  expect(fresh.peek()).toBeUndefined()
})

it('concurrent callers share one load, however long it takes, and its value is cached until it is too old', async () => {
  const [value, source] = [createFreshValue<string>({ maxAgeMs: 1_000, now }), slowSource()]
  const first = value.get(source.fetch)
  ms += 5_000
  const second = value.get(source.fetch)
  source.answer(0, 'a')
  expect([await first, await second, source.count()]).toEqual(['a', 'a', 1])
  const later = value.get(source.fetch)
  ms += 999
  const soon = value.get(source.fetch)
  source.answer(1, 'b')
  expect([await later, await soon, await value.get(source.fetch), source.count()]).toEqual(['b', 'b', 'b', 2])
  ms += 1
  void value.get(source.fetch)
  expect(source.count()).toBe(3)
})

it('a clock that is set back does not extend the life of a value', async () => {
  const value = createFreshValue<string>({ maxAgeMs: 1_000, now })
  await value.get(async () => 'old')
  ms -= 3_600_000
  expect(await value.get(async () => 'new')).toBe('new')
})

it('a value that was invalidated while loading reaches only the callers that share this load', async () => {
  const [value, source] = [createFreshValue<string>({ maxAgeMs: 1_000, now }), slowSource()]
  const before = value.get(source.fetch)
  value.drop()
  const after = value.get(source.fetch)
  source.answer(1, 'new')
  expect(await after).toBe('new')
  source.answer(0, 'old')
  expect([await before, await value.get(source.fetch), source.count()]).toEqual(['old', 'new', 2])
})

it('a failed load is an error for its callers, and the next caller loads again', async () => {
  const value = createFreshValue<string>({ maxAgeMs: 1_000, now })
  const both = [value.get(away), value.get(away)]
  for (const one of both) await expect(one).rejects.toThrow('away')
  expect(await value.get(async () => 'there')).toBe('there')
})

it('a load that failed after an invalidation keeps the value loaded since', async () => {
  const value = createFreshValue<string>({ maxAgeMs: 1_000, now })
  const failing = Promise.withResolvers<string>()
  const early = value.get(() => failing.promise)
  value.drop()
  await value.get(async () => 'new')
  failing.reject(new Error('away'))
  await expect(early).rejects.toThrow('away')
  expect(await value.get(away)).toBe('new')
})

it('the last value is used while it cannot be reloaded and stale values are allowed, and is reloaded after a while', async () => {
  const value = createFreshValue<string>({ maxAgeMs: 1_000, staleMs: 100, now })
  await expect(value.get(away)).rejects.toThrow('away')
  await value.get(async () => 'last')
  for (let hour = 0; hour < 3; hour += 1) {
    ms += 3_600_000
    expect(await value.get(away)).toBe('last')
    ms += 99
    expect(await value.get(async () => 'too early')).toBe('last')
  }
  ms += 1
  expect(await value.get(async () => 'new')).toBe('new')
  value.drop()
  await expect(value.get(away)).rejects.toThrow('away')
})

it('values are cached and invalidated by key, and the least recently used one is evicted', async () => {
  const fresh = createFresh<string>({ maxAgeMs: 1_000, max: 2, now })
  const read = (key: string, value: string) => fresh.get(key, async () => value)
  await read('a', 'a1')
  await read('b', 'b1')
  expect([await read('a', 'a2'), await read('b', 'b2')]).toEqual(['a1', 'b1'])
  fresh.drop('a')
  expect([await read('a', 'a3'), await read('b', 'b3')]).toEqual(['a3', 'b1'])
  await read('c', 'c1')
  expect([await read('b', 'b4'), await read('a', 'a4')]).toEqual(['b1', 'a4'])
  fresh.dropAll()
  expect(await read('b', 'b5')).toBe('b5')
})
