import { expect, it } from 'vitest'
import { createServerClock } from './server-clock.ts'

const farOff = new Date('2031-05-05T05:05:05Z')

function given(answers: (() => Promise<Date>)[]) {
  let asked = 0
  const now = createServerClock(() => {
    const answer = answers[Math.min(asked, answers.length - 1)]
    asked += 1
    return answer?.() ?? Promise.reject(new Error('asked too often'))
  })
  return { now, asked: () => asked }
}

it('goes on from the server’s time, which it asks once for all that want it', async () => {
  const { now, asked } = given([async () => farOff])
  const [first, ...others] = await Promise.all([now(), now(), now()])
  for (const time of [first, ...others]) expect(time?.getUTCFullYear()).toBe(2031)
  const before = performance.now()
  await expect.poll(() => performance.now() - before).toBeGreaterThan(20)
  expect((await now()).getTime() - (first?.getTime() ?? 0)).toBeGreaterThan(20)
  expect(asked()).toBe(1)
})

it('asks again after a question that failed', async () => {
  const { now, asked } = given([() => Promise.reject(new Error('away')), async () => farOff])
  await expect(now()).rejects.toThrow('away')
  expect((await now()).getUTCFullYear()).toBe(2031)
  expect(asked()).toBe(2)
})

it('takes the answer that was on its way for the shortest time', async () => {
  const late = async (): Promise<Date> => {
    const before = performance.now()
    await expect.poll(() => performance.now() - before, { interval: 50 }).toBeGreaterThan(300)
    return new Date(0)
  }
  const { now, asked } = given([late, async () => farOff])
  expect((await now()).getUTCFullYear()).toBe(2031)
  expect(asked()).toBe(2)
})
