import { expect, it } from 'vitest'
import { createGate, createKeyedGate } from './gate.ts'

/** Acts that end when they are told to, and the order in which they began. */
function given(limit: number, most: number) {
  const gate = createGate(limit, most)
  const begun: number[] = []
  const ends = new Map<number, (error?: Error) => void>()
  const act = (nth: number) => (): Promise<number> => {
    begun.push(nth)
    return new Promise((resolve, reject) => ends.set(nth, (error) => (error ? reject(error) : resolve(nth))))
  }
  const run = (nth: number): Promise<number> => gate.run(act(nth))
  const goOn = (nth: number): Promise<number> => gate.goOn(act(nth))
  return { run, goOn, begun, end: (nth: number, error?: Error) => ends.get(nth)?.(error) }
}

it('runs as many as it may and lets the others in one by one, in their order', async () => {
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

it('refuses at once when too many wait', async () => {
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

it('lets what goes on in before what begins, and never refuses it', async () => {
  const { run, goOn, begun, end } = given(1, 1)
  const all = [run(1), run(2), goOn(3), goOn(4)]
  await expect.poll(() => begun).toEqual([1])
  for (const nth of [1, 3, 4, 2]) {
    await expect.poll(() => begun.at(-1)).toBe(nth)
    end(nth)
  }
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4])
  expect(begun).toEqual([1, 3, 4, 2])
})

it('of many keys keeps each from taking the places of the others', async () => {
  const gate = createKeyedGate(1, 1)
  const { promise: slow, resolve: end } = Promise.withResolvers<string>()
  const [first, second] = [gate.run('a', () => slow), gate.run('a', async () => 'next')]
  await expect(gate.run('a', async () => 'more')).rejects.toMatchObject({ code: 'unavailable' })
  expect(await gate.run('b', async () => 'other')).toBe('other')
  end('done')
  expect(await Promise.all([first, second])).toEqual(['done', 'next'])
  expect(await gate.run('a', async () => 'later')).toBe('later')
})
