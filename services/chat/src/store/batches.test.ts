import { expect, it } from 'vitest'
import { createBatches } from './batches.ts'

function given(fails: (items: readonly string[]) => boolean = () => false) {
  const runs: (readonly string[])[] = []
  const batched = createBatches<string, string>({
    gatherMs: 1,
    async run(items) {
      runs.push(items)
      if (fails(items)) throw new Error('a bad one')
      return new Map(items.filter((item) => item !== 'nothing').map((item) => [item.slice(0, 1), `${item} done`]))
    },
    isFaultOfOne: () => true,
  })
  return { runs, act: (item: string) => batched(item.slice(0, 1), item) }
}

it('a batcher runs concurrent calls as one batch, each caller with its own result', async () => {
  const { runs, act } = given()
  expect(await Promise.all(['a', 'b', 'nothing'].map(act))).toEqual(['a done', 'b done', undefined])
  expect(runs).toEqual([['a', 'b', 'nothing']])
  expect(await act('c')).toBe('c done')
  expect(runs).toHaveLength(2)
})

it('a batcher runs the last of several calls with one key, for all callers', async () => {
  const { runs, act } = given()
  expect(await Promise.all(['a1', 'a2'].map(act))).toEqual(['a2 done', 'a2 done'])
  expect(runs).toEqual([['a2']])
})

it('a failing call fails no other call of its batch', async () => {
  const { act } = given((items) => items.includes('bad'))
  const [good, bad] = await Promise.allSettled(['good', 'bad'].map(act))
  expect(good).toMatchObject({ status: 'fulfilled', value: 'good done' })
  expect(bad).toMatchObject({ status: 'rejected' })
})

it('a batcher gathers calls while two batches are under way, and runs them together as soon as one of these ends', async () => {
  const runs: (readonly string[])[] = []
  const ends: (() => void)[] = []
  const batched = createBatches<string, string>({
    gatherMs: 1,
    run(items) {
      runs.push(items)
      return new Promise((resolve) => ends.push(() => resolve(new Map(items.map((item) => [item, `${item} done`])))))
    },
    isFaultOfOne: () => false,
  })
  const act = (item: string) => batched(item, item)
  const first = act('a')
  await expect.poll(() => runs.length).toBe(1)
  void act('b')
  await expect.poll(() => runs.length).toBe(2)
  const third = act('c')
  const fourth = act('d')
  expect(runs).toEqual([['a'], ['b']])
  ends[0]?.()
  expect(await first).toBe('a done')
  await expect.poll(() => runs).toEqual([['a'], ['b'], ['c', 'd']])
  for (const end of ends) end()
  expect(await Promise.all([third, fourth])).toEqual(['c done', 'd done'])
})
