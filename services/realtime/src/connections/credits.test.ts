import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceClient } from '@parley/kit'
import { testLog } from '@parley/testing'
import { expect, it } from 'vitest'
import { createCredits } from './credits.ts'

/** Credits that billing answers at once, and the users who were told theirs. */
function givenCredits() {
  const told: string[] = []
  const call = async (_route: unknown, { body }: { body: { userIds: string[] } }) => ({
    accounts: body.userIds.map((userId) => ({ userId, credits: { remaining: 1 } })),
  })
  const client = { call } as unknown as ServiceClient
  const credits = createCredits({ client, emit: (userId) => told.push(userId), log: testLog })
  return { told, credits }
}

it('credits that change after a rest are read again', async () => {
  const { told, credits } = givenCredits()
  credits.renew(['ann'])
  await expect.poll(() => told).toEqual(['ann'])
  // Longer than the pause between two requests.
  await pause(300)
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
