import { expect, it } from 'vitest'
import { createFrameBatch } from './frame-batch.ts'

it('a batch is taken once, and what is discarded is never taken', () => {
  const taken: (readonly number[])[] = []
  const frames: (() => void)[] = []
  const batch = createFrameBatch<number>(
    (items) => taken.push(items),
    (run) => {
      frames.push(run)
      return () => void frames.splice(frames.indexOf(run), 1)
    },
  )
  for (const item of [1, 2]) batch.push(item)
  expect(frames).toHaveLength(1)
  frames[0]?.()
  batch.push(3)
  batch.drop()
  for (const frame of frames) frame()
  expect(taken).toEqual([[1, 2]])
})
