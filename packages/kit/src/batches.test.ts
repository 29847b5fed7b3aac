import { expect, it } from 'vitest'
import { createBatches } from './batches.ts'

function givenBatches(most: number) {
  const batches: (readonly number[])[] = []
  const ends: (() => void)[] = []
  const idle = Promise.withResolvers<void>()
  const add = createBatches<number>(
    async (items) => {
      batches.push(items)
      const end = Promise.withResolvers<void>()
      ends.push(end.resolve)
      await end.promise
    },
    most,
    idle.resolve,
  )
  return { batches, add, end: () => ends.shift()?.(), idle: idle.promise }
}

it('what comes in at once is one batch, and what comes in during it is the next, of at most so many', async () => {
  const { batches, add, end, idle } = givenBatches(3)
  for (const item of [1, 2]) add(item)
  await expect.poll(() => batches).toEqual([[1, 2]])
  for (const item of [3, 4, 5, 6]) add(item)
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
  add(7)
  await expect.poll(() => batches.at(-1)).toEqual([7])
  end()
})
