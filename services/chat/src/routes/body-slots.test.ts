import { expect, it } from 'vitest'
import { createBodySlots } from './body-slots.ts'

/** Begins an act that goes on until it is told to end. */
function begin(places: ReturnType<typeof createBodySlots>, userId: string, network: string) {
  const act = { isRunning: false, end: (): void => undefined, done: Promise.resolve() }
  act.done = places.run({ userId, network }, async () => {
    act.isRunning = true
    await new Promise<void>((resolve) => {
      act.end = resolve
    })
  })
  return act
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

it('accounts of one network take no more body slots than the network has, and leave those of other networks free', async () => {
  const places = createBodySlots({ all: [3, 10], network: [2, 10], user: [1, 10] })
  const same = ['a', 'a', 'b', 'c'].map((userId) => begin(places, userId, '4:1.1.1.1'))
  const other = begin(places, 'd', '4:2.2.2.2')
  await turn()
  expect(same.map(({ isRunning }) => isRunning)).toEqual([true, false, true, false])
  expect(other.isRunning).toBe(true)
  same[0]?.end()
  await same[0]?.done
  await turn()
  expect(same.map(({ isRunning }) => isRunning)).toEqual([true, false, true, true])
  for (const act of [...same, other]) act.end()
  await turn()
  same[1]?.end()
  await Promise.all([...same, other].map(({ done }) => done))
  expect(same[1]?.isRunning).toBe(true)
})

it('more bodies of one user than may wait are refused (503)', async () => {
  const places = createBodySlots({ all: [3, 10], network: [3, 10], user: [1, 1] })
  const [first, second] = [begin(places, 'a', '4:1.1.1.1'), begin(places, 'a', '4:1.1.1.1')]
  await expect(begin(places, 'a', '4:1.1.1.1').done).rejects.toMatchObject({ code: 'unavailable' })
  await turn()
  first.end()
  await first.done
  await turn()
  second.end()
  await second.done
})
