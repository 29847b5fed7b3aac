import { describe, expect, it } from 'vitest'
import { partAround } from './tree.ts'

const thread = (...sizes: readonly number[]) => sizes.map((bytes) => ({ bytes }))
const same = (count: number) => thread(...Array<number>(count).fill(10))
const around = (entries: ReturnType<typeof thread>, middle: number, limit: number, bytes = 1_000) => {
  const { first, last } = partAround(entries, middle, { limit, bytes })
  return [first, last]
}

describe('the part of a thread around a message', () => {
  it('has as many messages before as after it, and as many as it may near an end', () => {
    expect(around(same(20), 10, 5)).toEqual([8, 12])
    expect(around(same(20), 0, 5)).toEqual([0, 4])
    expect(around(same(20), 19, 5)).toEqual([15, 19])
    expect(around(same(3), 1, 5)).toEqual([0, 2])
    expect(around(same(3), 1, 1)).toEqual([1, 1])
  })

  it('loses those that are the farthest first, until it has no more bytes than it may', () => {
    expect(around(same(20), 10, 5, 30)).toEqual([9, 11])
    expect(around(same(20), 0, 5, 30)).toEqual([0, 2])
    expect(around(same(20), 19, 5, 30)).toEqual([17, 19])
    expect(around(thread(10, 10, 10, 10, 500, 10), 3, 10, 100)).toEqual([3, 4])
  })

  it('has the message and the next one, however large, so that a reader gets on', () => {
    expect(around(thread(10, 500, 500, 10), 1, 4, 100)).toEqual([1, 2])
    expect(around(thread(10, 500, 500, 10), 2, 4, 100)).toEqual([2, 3])
    expect(around(thread(10, 500, 500, 500), 3, 4, 100)).toEqual([3, 3])
  })
})
