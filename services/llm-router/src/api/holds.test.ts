import { billingInternalRoutes } from '@parley/contracts'
import { AppError, notFound, type ServiceClient } from '@parley/kit'
import { expect, test } from 'vitest'
import { createHolds } from './holds.ts'

const holdOf = (generationId: string) => ({ generationId, userId: 'owner', amount: 5, unlimited: false })
type Body = ReturnType<typeof holdOf> & { holds: ReturnType<typeof holdOf>[] }

/** A fake billing: the generations of each call, which the test answers. */
function givenHolds(results: (generationId: string) => unknown = () => ({ remaining: 95 })) {
  const calls: string[][] = []
  const gates: (() => void)[] = []
  const call = async (route: unknown, { body }: { body: Body }) => {
    const isAlone = route === billingInternalRoutes.hold
    const generations = isAlone ? [body.generationId] : body.holds.map(({ generationId }) => generationId)
    calls.push(generations)
    await new Promise<void>((resolve) => gates.push(resolve))
    return isAlone ? { remaining: 1 } : { results: generations.map(results) }
  }
  const hold = createHolds({ call } as unknown as ServiceClient, 5_000)
  const answer = async (nth: number): Promise<void> => {
    await expect.poll(() => gates.length).toBeGreaterThan(nth)
    gates[nth]?.()
  }
  return { calls, answer, hold: (generationId: string) => hold(holdOf(generationId)) }
}

test('holds requested during a call are sent together in the next one', async () => {
  const { calls, answer, hold } = givenHolds()
  const first = hold('first')
  await expect.poll(() => calls).toEqual([['first']])
  const others = [hold('second'), hold('third')]
  await answer(0)
  await answer(1)
  expect(await first).toEqual({ remaining: 1 })
  expect(await Promise.all(others)).toEqual([{ remaining: 95 }, { remaining: 95 }])
  expect(calls).toEqual([['first'], ['second', 'third']])
})

test('a call that billing does not answer delays later holds only briefly', async () => {
  const { calls, answer, hold } = givenHolds()
  const stuck = hold('stuck')
  await expect.poll(() => calls).toEqual([['stuck']])
  const later = hold('later')
  await answer(1)
  expect(await later).toEqual({ remaining: 1 })
  await answer(0)
  await stuck
})

test('each of several holds is refused separately, and one that is set apart is requested alone', async () => {
  const refusal = { code: 'rate_limited', error: 'Too many.', headers: { 'retry-after': '7' } }
  const { calls, answer, hold } = givenHolds((generationId) => {
    if (generationId === 'refused') return { refusal }
    return generationId === 'locked' ? { apart: true } : { remaining: 95 }
  })
  const asked = Promise.allSettled(['held', 'refused', 'locked'].map(hold))
  await answer(0)
  await answer(1)
  const [held, refused, locked] = await asked
  expect(held).toMatchObject({ value: { remaining: 95 } })
  expect(refused).toMatchObject({ reason: new AppError('rate_limited', 'Too many.') })
  expect(refused).toMatchObject({ reason: { code: 'rate_limited', headers: { 'retry-after': '7' } } })
  expect(locked).toMatchObject({ value: { remaining: 1 } })
  expect(calls).toEqual([['held', 'refused', 'locked'], ['locked']])
})

test.each([
  [
    'fails',
    () => {
      throw new AppError('unavailable', 'Later')
    },
  ],
  ['has too few results', () => ({ results: [{ remaining: 95 }] })],
])('no hold waits for a batch call that %s', async (_how, answer) => {
  const hold = createHolds({ call: async () => answer() } as unknown as ServiceClient, 5_000)
  const [, last] = await Promise.allSettled(['one', 'two'].map((id) => hold(holdOf(id))))
  expect(last).toMatchObject({ reason: { code: 'unavailable' } })
})

test('billing of the previous version, which has no batch call, gets single holds', async () => {
  const asked: unknown[] = []
  const call = async (route: unknown, { body }: { body: Body }) => {
    if (route === billingInternalRoutes.holdSeveral) throw notFound()
    asked.push(body.generationId)
    return { remaining: 4 }
  }
  const hold = createHolds({ call } as unknown as ServiceClient, 5_000)
  expect(await Promise.all(['one', 'two'].map((id) => hold(holdOf(id))))).toEqual([{ remaining: 4 }, { remaining: 4 }])
  expect(asked).toEqual(['one', 'two'])
})
