import { once } from 'node:events'
import { type IncomingMessage, ServerResponse } from 'node:http'
import { chatRoutes } from '@parley/contracts'
import { userPrincipal } from '@parley/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
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
    streams.add(
      { principal: userPrincipal(), mayContinue: async () => ({ endsAt }), endsAt },
      response,
      chatRoutes.resume,
    )
    return response
  }
  const [soon, later] = [readBy(1), readBy(60)]
  vi.advanceTimersByTime(dayMs - 1)
  expect([soon.destroyed, later.destroyed]).toEqual([false, false])
  vi.advanceTimersByTime(1)
  expect([soon.destroyed, later.destroyed]).toEqual([true, false])
})

describe('a key whose expiry changes while its stream runs', () => {
  /** A stream of a key that expires in a day, and a change of that, in days from the start, as its review learns it. */
  const changedTo = async (days: number | null): Promise<ServerResponse> => {
    const streams = createOpenStreams(() => new Date())
    const started = Date.now()
    const inDays = (count: number | null) => (count === null ? null : new Date(started + count * dayMs).toISOString())
    let endsAt = inDays(1)
    const response = new ServerResponse({ method: 'GET' } as IncomingMessage)
    const principal = userPrincipal()
    streams.add({ principal, mayContinue: async () => ({ endsAt }), endsAt }, response, chatRoutes.resume)
    await vi.advanceTimersByTimeAsync(1_000)
    endsAt = inDays(days)
    await streams.review(principal.userId)
    return response
  }
  beforeEach(() => {
    vi.useFakeTimers()
  })

  it('has it cut at a sooner expiry, and not before', async () => {
    const response = await changedTo(1 / 2)
    await vi.advanceTimersByTimeAsync(dayMs / 2 - 1_001)
    expect(response.destroyed).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(response.destroyed).toBe(true)
  })

  it('has it cut at a later expiry instead of the first one', async () => {
    const response = await changedTo(2)
    await vi.advanceTimersByTimeAsync(dayMs)
    expect(response.destroyed).toBe(false)
    await vi.advanceTimersByTimeAsync(dayMs)
    expect(response.destroyed).toBe(true)
  })

  it('has it go on for good once the key expires no longer', async () => {
    const response = await changedTo(null)
    await vi.advanceTimersByTimeAsync(10 * dayMs)
    expect(response.destroyed).toBe(false)
  })

  it('arms no timer for a stream that has closed meanwhile', async () => {
    const streams = createOpenStreams(() => new Date())
    const response = new ServerResponse({ method: 'GET' } as IncomingMessage)
    const endsAt = new Date(Date.now() + dayMs).toISOString()
    const principal = userPrincipal()
    streams.add({ principal, mayContinue: async () => ({ endsAt }) }, response, chatRoutes.resume)
    response.destroy()
    await vi.advanceTimersByTimeAsync(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})
