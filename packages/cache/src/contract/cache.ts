import { expect, test } from 'vitest'
import { type CacheHarness, eventually } from './harness.ts'

/** Misses, expiry, scopes. */
export function cacheContract(harness: () => CacheHarness): void {
  test('a replica reads a value that another one set, until it is deleted', async () => {
    const [one, other] = [await harness().openReplica('auth'), await harness().openReplica('auth')]
    expect(await one.cache.get('key')).toBeUndefined()
    await one.cache.set('key', 'wörld', 60_000)
    expect(await other.cache.get('key')).toBe('wörld')
    await one.cache.set('key', '', 60_000)
    expect(await other.cache.get('key')).toBe('')
    await other.cache.delete('key')
    expect(await one.cache.get('key')).toBeUndefined()
    await other.cache.delete('key')
  })

  test('a value expires after its time to live, which a new value starts anew', async () => {
    const { cache } = await harness().openReplica('auth')
    await cache.set('short', 'value', 60_000)
    await cache.set('short', 'value', 30)
    await cache.set('long', 'old', 1)
    await cache.set('long', 'new', 60_000)
    await expect.poll(() => cache.get('short'), eventually).toBeUndefined()
    expect(await cache.get('long')).toBe('new')
  })

  test('services do not see each other’s values', async () => {
    const [auth, chat] = [await harness().openReplica('auth'), await harness().openReplica('chat')]
    await auth.cache.set('key', 'of auth', 60_000)
    expect(await chat.cache.get('key')).toBeUndefined()
    await chat.cache.delete('key')
    expect(await auth.cache.get('key')).toBe('of auth')
  })

  test('health resolves, and close is idempotent', async () => {
    const engine = await harness().openReplica('auth')
    await engine.health()
    await engine.close()
    await engine.close()
  })
}
