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

it('runs what comes together as one, each caller with its own result', async () => {
  const { runs, act } = given()
  expect(await Promise.all(['a', 'b', 'nothing'].map(act))).toEqual(['a done', 'b done', undefined])
  expect(runs).toEqual([['a', 'b', 'nothing']])
  expect(await act('c')).toBe('c done')
  expect(runs).toHaveLength(2)
})

it('runs the last of several with one key, for all who asked', async () => {
  const { runs, act } = given()
  expect(await Promise.all(['a1', 'a2'].map(act))).toEqual(['a2 done', 'a2 done'])
  expect(runs).toEqual([['a2']])
})

it('lets one that cannot be run harm no other', async () => {
  const { act } = given((items) => items.includes('bad'))
  const [good, bad] = await Promise.allSettled(['good', 'bad'].map(act))
  expect(good).toMatchObject({ status: 'fulfilled', value: 'good done' })
  expect(bad).toMatchObject({ status: 'rejected' })
})
