import { createLogger, type ServiceClient } from '@parley/kit'
import { expect, it } from 'vitest'
import { createRecall } from './recall.ts'

const log = createLogger('test', 'silent')
const dog = { id: 'memory-1', text: 'My dog is called Biscuit' }

it('prompts stop waiting for an unavailable memory service, try it now and then, and use it again once it responds', async () => {
  let [isAway, asked, time] = [true, 0, 0]
  const call = async () => {
    asked += 1
    if (isAway) throw new Error('away')
    return { memories: [dog] }
  }
  const client = { call } as unknown as Pick<ServiceClient, 'call'>
  const recall = createRecall({ client, memoryMs: 60_000, log, now: () => new Date(time) })
  const all = async (times: number) => {
    for (let nth = 0; nth < times; nth += 1) expect((await recall('user', 'Hello')).isUnavailable).toBe(true)
  }
  expect(await recall('user', 'Hello')).toEqual({ memories: [], isUnavailable: false })
  await all(10)
  expect(asked).toBe(2)
  time += 5_000
  await all(10)
  expect(asked).toBe(3)
  isAway = false
  time += 5_000
  for (let nth = 0; nth < 3; nth += 1) {
    expect(await recall('user', 'Hello')).toEqual({ memories: [dog], isUnavailable: false })
  }
  expect(asked).toBe(6)
})
