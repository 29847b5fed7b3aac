import { expect, test } from 'vitest'
import { type CacheHarness, eventually } from './harness.ts'

const hour = 3_600_000

/** Fixed windows, shared and exact. */
export function counterContract(harness: () => CacheHarness): void {
  test('of 200 calls at once on two replicas exactly the limit of 50 is granted', async () => {
    const replicas = [await harness().openReplica('gateway'), await harness().openReplica('gateway')]
    const limit = { points: 50, windowMs: hour }
    const calls = Array.from({ length: 200 }, (_value, index) => replicas[index % 2]?.counter.consume('ip', limit))
    const results = await Promise.all(calls)
    const allowed = results.filter((result) => result?.allowed)
    expect(allowed).toHaveLength(50)
    expect(allowed.map((result) => result?.remaining).toSorted((a = 0, b = 0) => b - a)).toEqual(
      Array.from({ length: 50 }, (_value, index) => 49 - index),
    )
  })

  test('a failed call affects no later call', async () => {
    const { counter } = await harness().openReplica('gateway')
    await expect(async () => await counter.consume('key', undefined as never)).rejects.toThrow()
    expect((await counter.consume('key', { points: 1, windowMs: hour })).allowed).toBe(true)
    expect((await counter.consume('key', { points: 1, windowMs: hour })).allowed).toBe(false)
  })

  test('a call returns the limit, the remainder and the end of the window', async () => {
    const { counter } = await harness().openReplica('gateway')
    const limit = { points: 2, windowMs: hour }
    expect(await counter.consume('key', limit)).toMatchObject({ allowed: true, limit: 2, remaining: 1 })
    expect(await counter.consume('key', limit)).toMatchObject({ allowed: true, limit: 2, remaining: 0 })
    const refused = await counter.consume('key', limit)
    expect(refused).toMatchObject({ allowed: false, limit: 2, remaining: 0 })
    expect(refused.resetMs).toBeGreaterThan(hour / 2)
    expect(refused.resetMs).toBeLessThanOrEqual(hour)
  })

  test('a refused call takes nothing, and a changed limit applies at once', async () => {
    const { counter } = await harness().openReplica('gateway')
    const consume = (points: number) => counter.consume('key', { points, windowMs: hour })
    await consume(2)
    await consume(2)
    for (let index = 0; index < 10; index += 1) expect((await consume(2)).allowed).toBe(false)
    expect(await consume(4)).toMatchObject({ allowed: true, remaining: 1 })
    expect(await consume(3)).toMatchObject({ allowed: false, remaining: 0 })
    expect(await consume(1)).toMatchObject({ allowed: false, limit: 1, remaining: 0 })
    expect(await consume(4)).toMatchObject({ allowed: true, remaining: 0 })
  })

  test('points are taken from all of several windows or from none', async () => {
    const { counter } = await harness().openReplica('gateway')
    const take = (requests: number, tokens: number) =>
      counter.consumeAll([
        { key: 'requests', limit: { points: 3, windowMs: hour }, cost: requests },
        { key: 'tokens', limit: { points: 100, windowMs: hour }, cost: tokens },
      ])
    expect(await take(1, 60)).toMatchObject({ allowed: true, results: [{ remaining: 2 }, { remaining: 40 }] })
    const refused = await take(1, 41)
    expect(refused).toMatchObject({
      allowed: false,
      results: [
        { allowed: true, remaining: 2 },
        { allowed: false, remaining: 40 },
      ],
    })
    expect(await take(1, 40)).toMatchObject({ allowed: true, results: [{ remaining: 1 }, { remaining: 0 }] })
    expect(await take(0, 0)).toMatchObject({ allowed: true, results: [{ remaining: 1 }, { remaining: 0 }] })
  })

  test('points are adjusted in the current window only, and may exceed its limit', async () => {
    const { counter } = await harness().openReplica('gateway')
    const limit = { points: 10, windowMs: hour }
    const look = async () => (await counter.consumeAll([{ key: 'key', limit, cost: 0 }])).results[0]?.remaining
    await counter.adjust('key', limit, 5)
    expect(await look()).toBe(10)
    await counter.consumeAll([{ key: 'key', limit, cost: 8 }])
    await counter.adjust('key', limit, -6)
    expect(await look()).toBe(8)
    await counter.adjust('key', limit, 20)
    expect(await look()).toBe(0)
    await counter.adjust('key', limit, -100)
    expect(await look()).toBe(10)
  })

  test('a limit of 0 refuses every call', async () => {
    const { counter } = await harness().openReplica('gateway')
    expect(await counter.consume('key', { points: 0, windowMs: hour })).toMatchObject({ allowed: false, remaining: 0 })
    expect((await counter.consume('key', { points: 1, windowMs: hour })).allowed).toBe(true)
  })

  test('a new window starts when the old one ends', async () => {
    const { counter } = await harness().openReplica('gateway')
    const limit = { points: 1, windowMs: 40 }
    expect((await counter.consume('key', limit)).allowed).toBe(true)
    await expect.poll(async () => (await counter.consume('key', limit)).allowed, eventually).toBe(true)
  })

  test('a window that ends in this millisecond is over: its points are not carried into the next one', async () => {
    const { counter } = await harness().openReplica('gateway')
    const limit = { points: 1_000_000, windowMs: 2 }
    let last = await counter.consume('key', limit)
    // Without a pause, so that some calls come in the very millisecond in which a window ends.
    for (let round = 0; round < 100; round += 1) {
      for (const next of await Promise.all(Array.from({ length: 30 }, () => counter.consume('key', limit)))) {
        if (next.resetMs > last.resetMs) expect(next.remaining).toBe(limit.points - 1)
        last = next
      }
    }
  })

  test('each key and each service has its own windows', async () => {
    const [gateway, auth] = [await harness().openReplica('gateway'), await harness().openReplica('auth')]
    const limit = { points: 1, windowMs: hour }
    expect((await gateway.counter.consume('a', limit)).allowed).toBe(true)
    expect((await gateway.counter.consume('b', limit)).allowed).toBe(true)
    expect((await auth.counter.consume('a', limit)).allowed).toBe(true)
    expect((await gateway.counter.consume('a', limit)).allowed).toBe(false)
  })

  test("a service reads the remaining points of another service's windows, and takes none", async () => {
    const [router, billing] = [await harness().openReplica('llm-router'), await harness().openReplica('billing')]
    const [used, unused] = ['key:used', 'key:unused'].map((key) => ({ key, limit: { points: 5, windowMs: hour } }))
    const windows = [used, unused].filter((window) => window !== undefined)
    await router.counter.consumeAll([{ ...(used ?? { key: '', limit: { points: 0, windowMs: 1 } }), cost: 3 }])
    const look = async () => (await billing.counterOf('llm-router').look(windows)).map(({ remaining }) => remaining)
    expect([await look(), await look()]).toEqual([
      [2, 5],
      [2, 5],
    ])
    expect(await billing.counterOf('llm-router').look([])).toEqual([])
  })

  test('windows may be longer than a timer can wait', async () => {
    const { counter } = await harness().openReplica('gateway')
    const [long, short] = [60 * 24 * hour, 40].map((windowMs) => ({ points: 1, windowMs }))
    const isAllowed = async (limit = { points: 0, windowMs: 1 }) => (await counter.consume('key', limit)).allowed
    expect(await isAllowed(long)).toBe(true)
    expect(await isAllowed(short)).toBe(true)
    await expect.poll(() => isAllowed(short), eventually).toBe(true)
    expect(await isAllowed(long)).toBe(false)
  })
}
