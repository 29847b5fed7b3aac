import { once } from 'node:events'
import { type IncomingMessage, ServerResponse } from 'node:http'
import { chatRoutes } from '@parley/contracts'
import { userPrincipal } from '@parley/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { createOpenStreams } from './open-streams.ts'

const dayMs = 86_400_000

afterEach(() => {
  vi.useRealTimers()
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

it('a stream of a user whose rights have changed is cut while they are unknown, and no other one', async () => {
  vi.useFakeTimers()
  const streams = createOpenStreams(() => new Date())
  const [changed, other] = [userPrincipal(), userPrincipal()].map((principal) => {
    const response = new ServerResponse({ method: 'GET' } as IncomingMessage)
    streams.add(
      { principal, mayContinue: () => Promise.reject(new Error('auth is away')) },
      response,
      chatRoutes.resume,
    )
    return { userId: principal.userId, response }
  })
  await streams.review(changed?.userId ?? '')
  vi.advanceTimersByTime(1_000)
  expect([changed?.response.destroyed, other?.response.destroyed]).toEqual([true, false])
})

it('a stream is cut whose reader lost the right to it while being admitted', async () => {
  vi.useFakeTimers()
  const streams = createOpenStreams(() => new Date())
  const response = new ServerResponse({ method: 'GET' } as IncomingMessage)
  streams.add({ principal: userPrincipal(), mayContinue: async () => false }, response, chatRoutes.resume)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(response.destroyed).toBe(true)
})

it('a stream is cut when its key expires, and one of a key for months, which no timer holds, is not cut at once', () => {
  vi.useFakeTimers()
  const streams = createOpenStreams(() => new Date())
  const readBy = (days: number): ServerResponse => {
    const response = new ServerResponse({ method: 'GET' } as IncomingMessage)
    const endsAt = new Date(Date.now() + days * dayMs).toISOString()
    streams.add({ principal: userPrincipal(), mayContinue: async () => true, endsAt }, response, chatRoutes.resume)
    return response
  }
  const [soon, later] = [readBy(1), readBy(60)]
  vi.advanceTimersByTime(dayMs - 1)
  expect([soon.destroyed, later.destroyed]).toEqual([false, false])
  vi.advanceTimersByTime(1)
  expect([soon.destroyed, later.destroyed]).toEqual([true, false])
})
