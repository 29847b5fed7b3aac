import type { ServiceClient } from '@parley/kit'
import { testLog } from '@parley/testing'
import { expect, it } from 'vitest'
import { createCredits } from './credits.ts'

/** Credits that billing answers at once, the users of each request, and the users who were told theirs. */
function givenCredits() {
  const told: string[] = []
  const asked: string[][] = []
  const call = async (_route: unknown, { body: { userIds } }: { body: { userIds: string[] } }) => {
    asked.push(userIds)
    return { accounts: userIds.map((userId) => ({ userId, credits: { remaining: 1 } })) }
  }
  const client = { call } as unknown as ServiceClient
  const credits = createCredits({ client, emit: (userId) => told.push(userId), log: testLog })
  return { told, asked, credits }
}

it('credits that change after a rest are read again', async () => {
  const { told, credits } = givenCredits()
  credits.renew(['ann'])
  await expect.poll(() => told).toEqual(['ann'])
  credits.renew(['bob'])
  await expect.poll(() => told).toEqual(['ann', 'bob'])
  await credits.stop()
})

it('credits that change after those of nobody did are read', async () => {
  const { told, credits } = givenCredits()
  credits.renew([])
  credits.renew(['ann'])
  await expect.poll(() => told).toEqual(['ann'])
  await credits.stop()
})

it('changes one after the other are gathered for one request, and none is made after the stop', async () => {
  const { told, asked, credits } = givenCredits()
  credits.renew(['ann'])
  credits.renew(['ann', 'bob'])
  await expect.poll(() => told).toEqual(['ann', 'bob'])
  credits.renew(['ann'])
  await credits.stop()
  expect(asked).toEqual([['ann', 'bob']])
})
