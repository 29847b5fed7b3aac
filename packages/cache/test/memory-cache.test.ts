import { expect, test } from 'vitest'
import { createMemoryCache } from '../src/memory/memory-cache.ts'

const minute = 60_000

test('the memory cache keeps 10,000 values and evicts the oldest', async () => {
  const cache = createMemoryCache()
  for (let index = 0; index < 10_000; index += 1) await cache.set(`key-${index}`, 'value', minute)
  await cache.set('key-0', 'again', minute)
  await cache.set('one more', 'value', minute)
  expect(await cache.get('key-0')).toBe('again')
  expect(await cache.get('key-1')).toBeUndefined()
  expect(await cache.get('key-2')).toBe('value')
})

test('the memory cache keeps 16 M characters', async () => {
  const cache = createMemoryCache()
  const large = 'x'.repeat(6 * 1024 * 1024)
  for (const key of ['a', 'b', 'c']) await cache.set(key, large, minute)
  expect(await cache.get('a')).toBeUndefined()
  expect(await cache.get('c')).toBe(large)
  await cache.delete('b')
  await cache.set('d', large, minute)
  expect(await cache.get('c')).toBe(large)
})
