import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceClient } from '@parley/kit'
import { testLog } from '@parley/testing'
import { expect, it } from 'vitest'
import { createCredits } from './credits.ts'

it('credits that change after a rest are read again', async () => {
  const told: string[] = []
  const call = async (_route: unknown, { body }: { body: { userIds: string[] } }) => ({
    accounts: body.userIds.map((userId) => ({ userId, credits: { remaining: 1 } })),
  })
  const client = { call } as unknown as ServiceClient
  const credits = createCredits({ client, emit: (userId) => told.push(userId), log: testLog })
  credits.renew(['ann'])
  await expect.poll(() => told).toEqual(['ann'])
  // Longer than the pause between two requests.
  await pause(300)
  credits.renew(['bob'])
  await expect.poll(() => told).toEqual(['ann', 'bob'])
  await credits.stop()
})
