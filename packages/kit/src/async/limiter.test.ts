import { expect, it } from 'vitest'
import { createKeyedLimiter, createLimiter } from './limiter.ts'

/** Acts that end when they are told to, and the order in which they began. */
function given(atOnce: number, most: number) {
  const limiter = createLimiter(atOnce, most)
  const begun: number[] = []
  const ends = new Map<number, (error?: Error) => void>()
  const act = (nth: number) => (): Promise<number> => {
    begun.push(nth)
    return new Promise((resolve, reject) => ends.set(nth, (error) => (error ? reject(error) : resolve(nth))))
  }
  const run = (nth: number): Promise<number> => limiter.run(act(nth))
  const runFirst = (nth: number): Promise<number> => limiter.runFirst(act(nth))
  return { run, runFirst, begun, end: (nth: number, error?: Error) => ends.get(nth)?.(error) }
}

it('a limiter runs the allowed number of tasks and starts the others one by one, in order', async () => {
  const { run, begun, end } = given(2, 10)
  const all = [1, 2, 3, 4].map(run)
  await expect.poll(() => begun).toEqual([1, 2])
  end(2)
  expect(await all[1]).toBe(2)
  await expect.poll(() => begun).toEqual([1, 2, 3])
  end(1, new Error('failed'))
  await expect(all[0]).rejects.toThrow('failed')
  await expect.poll(() => begun).toEqual([1, 2, 3, 4])
  for (const nth of [3, 4]) end(nth)
  expect(await Promise.all(all.slice(2))).toEqual([3, 4])
})

it('a limiter refuses immediately when too many tasks wait', async () => {
  const { run, begun, end } = given(1, 1)
  const [first, second] = [run(1), run(2)]
  await expect(run(3)).rejects.toMatchObject({ code: 'unavailable' })
  await expect.poll(() => begun).toEqual([1])
  end(1)
  await first
  await expect.poll(() => begun).toEqual([1, 2])
  end(2)
  expect(await second).toBe(2)
})

it('a limiter runs priority tasks before others, and never refuses them', async () => {
  const { run, runFirst, begun, end } = given(1, 1)
  const all = [run(1), run(2), runFirst(3), runFirst(4)]
  await expect.poll(() => begun).toEqual([1])
  for (const nth of [1, 3, 4, 2]) {
    await expect.poll(() => begun.at(-1)).toBe(nth)
    end(nth)
  }
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4])
  expect(begun).toEqual([1, 3, 4, 2])
})

it('a keyed limiter keeps each key from taking the slots of the others', async () => {
  const limiter = createKeyedLimiter(1, 1)
  const { promise: slow, resolve: end } = Promise.withResolvers<string>()
  const [first, second] = [limiter.run('a', () => slow), limiter.run('a', async () => 'next')]
  await expect(limiter.run('a', async () => 'more')).rejects.toMatchObject({ code: 'unavailable' })
  expect(await limiter.run('b', async () => 'other')).toBe('other')
  end('done')
  expect(await Promise.all([first, second])).toEqual(['done', 'next'])
  expect(await limiter.run('a', async () => 'later')).toBe('later')
})
