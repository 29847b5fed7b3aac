import { expect, it } from 'vitest'
import { type Checkpoint, checkpointKey, createCheckpoints, type SavedCheckpoint } from './checkpoints.ts'
import type { Progress } from './entities.ts'

const lease = { owner: 'replica', ms: 1_000 }
const saved: SavedCheckpoint = { stop: null }

/** Checkpoints over a store that has an answer for each id but `gone`, and saves while `write` does not reject. */
function givenCheckpoints(write: (contents: readonly string[]) => Promise<void> = async () => undefined) {
  const writes: (readonly string[])[] = []
  const checkpoint = createCheckpoints({
    async save(checkpoints: readonly Checkpoint[]) {
      const contents = checkpoints.map(({ progress }) => progress?.content ?? '')
      writes.push(contents)
      await write(contents)
      const held = checkpoints.filter(({ id }) => id !== 'gone')
      return new Map(held.map(({ id }) => [checkpointKey(id, lease.owner), saved]))
    },
    isFaultOfOne: () => true,
  })
  const save = (id: string, content = id) => checkpoint(id, lease, { content } as Progress)
  return { writes, save }
}

it('checkpoints that come together are one write, each with its own result', async () => {
  const { writes, save } = givenCheckpoints()
  expect(await Promise.all(['a', 'gone', 'b'].map((id) => save(id)))).toEqual([saved, undefined, saved])
  expect(writes).toEqual([['a', 'gone', 'b']])
  expect(await save('c')).toEqual(saved)
  expect(writes).toHaveLength(2)
})

it('of several checkpoints of one answer the latest is saved, for all callers', async () => {
  const { writes, save } = givenCheckpoints()
  expect(await Promise.all([save('a', 'one'), save('a', 'one two')])).toEqual([saved, saved])
  expect(writes).toEqual([['one two']])
})

it('a checkpoint that the store cannot take fails no other one of its write', async () => {
  const { save } = givenCheckpoints(async (contents) => {
    if (contents.includes('bad')) throw new Error('a value that cannot be stored')
  })
  const [good, bad] = await Promise.allSettled([save('good'), save('bad')])
  expect(good).toEqual({ status: 'fulfilled', value: saved })
  expect(bad).toMatchObject({ status: 'rejected' })
})

it('while two writes are under way checkpoints are gathered, and saved together as soon as one of them ends', async () => {
  const ends: (() => void)[] = []
  const { writes, save } = givenCheckpoints(() => new Promise((resolve) => ends.push(resolve)))
  const first = save('a')
  await expect.poll(() => writes.length).toBe(1)
  void save('b')
  await expect.poll(() => writes.length).toBe(2)
  const [third, fourth] = [save('c'), save('d')]
  expect(writes).toEqual([['a'], ['b']])
  ends[0]?.()
  expect(await first).toEqual(saved)
  await expect.poll(() => writes).toEqual([['a'], ['b'], ['c', 'd']])
  for (const end of ends) end()
  expect(await Promise.all([third, fourth])).toEqual([saved, saved])
})
