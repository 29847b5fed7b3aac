import { once } from 'node:events'
import { type IncomingMessage, ServerResponse } from 'node:http'
import { chatRoutes } from '@parley/contracts'
import { userPrincipal } from '@parley/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { createOpenStreams } from './open-streams.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('a stream is cut once the rights of its reader have been unknown for 30 s', async () => {
  const streams = createOpenStreams(() => new Date())
  const response = new ServerResponse({ method: 'GET' } as IncomingMessage)
  const mayContinue = () => Promise.reject(new Error('auth is away'))
  streams.add({ principal: userPrincipal(), mayContinue }, response, chatRoutes.resume)
  vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(30_001)
  await Promise.all([once(response, 'close'), streams.reviewAll()])
  expect(response.destroyed).toBe(true)
})
