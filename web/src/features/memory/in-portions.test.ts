import { expect, it } from 'vitest'
import { forEachOf } from './in-portions.ts'

it('calls for many memories are sent four at a time', async () => {
  let running = 0
  let most = 0
  const outcome = await forEachOf([1, 2, 3, 4, 5, 6, 7, 8, 9], async () => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
  })
  expect(outcome).toEqual({ done: [1, 2, 3, 4, 5, 6, 7, 8, 9], error: null })
  expect(most).toBe(4)
})

it('calls for many memories stop after the batch in which one failed, and report those that succeeded', async () => {
  const asked: number[] = []
  const outcome = await forEachOf([1, 2, 3, 4, 5, 6], async (item) => {
    asked.push(item)
    if (item === 3) throw new Error('no')
  })
  expect(asked).toEqual([1, 2, 3, 4])
  expect(outcome.done).toEqual([1, 2, 4])
  expect(outcome.error).toEqual(new Error('no'))
})
