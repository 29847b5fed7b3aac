import { expect, it, vi } from 'vitest'
import { createServerClock } from './server-clock.ts'

const farOff = new Date('2031-05-05T05:05:05Z')

function given(answers: (() => Promise<Date>)[]) {
  let asked = 0
  const time = createServerClock(() => {
    const answer = answers[Math.min(asked, answers.length - 1)]
    asked += 1
    return answer?.() ?? Promise.reject(new Error('asked too often'))
  })
  return { now: async () => (await time()).latest, time, asked: () => asked }
}

it('the server clock continues from the server’s time, which concurrent callers read once', async () => {
  const { now, asked } = given([async () => farOff])
  const [first, ...others] = await Promise.all([now(), now(), now()])
  for (const time of [first, ...others]) expect(time?.getUTCFullYear()).toBe(2031)
  const before = performance.now()
  await expect.poll(() => performance.now() - before).toBeGreaterThan(20)
  expect((await now()).getTime() - (first?.getTime() ?? 0)).toBeGreaterThan(20)
  expect(asked()).toBe(1)
})

it('the server clock reads the time again after a failed request', async () => {
  const { now, asked } = given([() => Promise.reject(new Error('away')), async () => farOff])
  await expect(now()).rejects.toThrow('away')
  expect((await now()).getUTCFullYear()).toBe(2031)
  expect(asked()).toBe(2)
})

it('the server clock uses the reply with the shortest round trip', async () => {
  const late = async (): Promise<Date> => {
    const before = performance.now()
    await expect.poll(() => performance.now() - before, { interval: 50 }).toBeGreaterThan(300)
    return new Date(0)
  }
  const { now, asked } = given([late, async () => farOff])
  expect((await now()).getUTCFullYear()).toBe(2031)
  expect(asked()).toBe(2)
})

it('the server clock is between the earliest and the latest that a slow round trip allows, whenever in it the server replied', async () => {
  const monotonic = vi.spyOn(performance, 'now')
  try {
    const { time } = given([
      async () => {
        monotonic.mockReturnValue(9_000)
        return farOff
      },
    ])
    monotonic.mockReturnValueOnce(8_800)
    expect(await time()).toEqual({ earliest: farOff, latest: new Date(farOff.getTime() + 200) })
    monotonic.mockReturnValue(10_000)
    expect(await time()).toEqual({
      earliest: new Date(farOff.getTime() + 1_000),
      latest: new Date(farOff.getTime() + 1_200),
    })
  } finally {
    monotonic.mockRestore()
  }
})
