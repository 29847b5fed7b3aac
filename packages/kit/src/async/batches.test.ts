import { afterEach, expect, it, vi } from 'vitest'
import { createBatches } from './batches.ts'

afterEach(() => void vi.useRealTimers())

function givenBatches(options: { readonly most: number; readonly gatherMs?: number }) {
  const batches: (readonly number[])[] = []
  const ends: (() => void)[] = []
  const idle = Promise.withResolvers<void>()
  const add = createBatches<number>(
    async (batch) => {
      batches.push(batch.map(({ item }) => item))
      const end = Promise.withResolvers<void>()
      ends.push(end.resolve)
      await end.promise
    },
    { ...options, idle: idle.resolve },
  )
  return { batches, add, end: () => ends.shift()?.(), idle: idle.promise }
}

it('items that arrive together are one batch, and those that arrive during it are the next, up to the maximum', async () => {
  const { batches, add, end, idle } = givenBatches({ most: 3 })
  for (const item of [1, 2]) void add(item)
  await expect.poll(() => batches).toEqual([[1, 2]])
  for (const item of [3, 4, 5, 6]) void add(item)
  end()
  await expect
    .poll(() => batches)
    .toEqual([
      [1, 2],
      [3, 4, 5],
    ])
  end()
  await expect.poll(() => batches).toEqual([[1, 2], [3, 4, 5], [6]])
  end()
  await idle
  void add(7)
  await expect.poll(() => batches.at(-1)).toEqual([7])
  end()
})

it('after a batch of several items more are awaited, and after a single item they are not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const { batches, add, end, idle } = givenBatches({ most: 100, gatherMs: 5 })
  void add(1)
  await expect.poll(() => batches).toEqual([[1]])
  for (const item of [2, 3]) void add(item)
  end()
  // Without a poll, which has the clock go on.
  await vi.advanceTimersByTimeAsync(0)
  expect(batches).toEqual([[1], [2, 3]])
  end()
  await expect.poll(() => vi.getTimerCount()).toBe(1)
  for (const item of [4, 5]) void add(item)
  await vi.advanceTimersByTimeAsync(5)
  await expect.poll(() => batches).toEqual([[1], [2, 3], [4, 5]])
  end()
  await expect.poll(() => vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(5)
  await idle
})

it('each item of a batch has a result or an error of its own', async () => {
  const add = createBatches<number, string>(
    async (batch) => {
      for (const { item, resolve, reject } of batch)
        item > 0 ? resolve(`${item} done`) : reject(new Error(`${item} failed`))
    },
    { most: 10 },
  )
  const results = await Promise.allSettled([1, -2].map(add))
  expect(results[0]).toEqual({ status: 'fulfilled', value: '1 done' })
  expect(results[1]).toMatchObject({ status: 'rejected', reason: { message: '-2 failed' } })
})
