import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { givenStorage } from '../../testing/given-storage.ts'
import { useSession } from '../session/session.ts'
import { apiFetch } from './http.ts'
import { guestInfoQuery } from './queries.ts'

const week = 7 * 24 * 60 * 60 * 1_000

beforeEach(() => {
  givenStorage()
  useSession.setState({ token: null, user: null, guestSessionId: null, banned: false })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('a call has a timeout of 15 s, and a stream its own', async () => {
  const deadlines: number[] = []
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    deadlines.push(ms)
    return AbortSignal.abort(new DOMException('Time is up', 'TimeoutError'))
  })
  vi.stubGlobal('fetch', async (_path: string, { signal }: RequestInit) => {
    signal?.throwIfAborted()
    return Response.json({})
  })
  await expect(apiFetch('/user/profile')).rejects.toMatchObject({ status: 0, code: 'timeout' })
  expect(deadlines).toEqual([15_000])
  expect((await apiFetch('/chat', { timeoutMs: 0 })).status).toBe(200)
  expect(timeout).toHaveBeenCalledTimes(1)
})

it('a visitor whose allowance cannot be loaded is assumed to have 2 messages and a reset in 7 days', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed to fetch')))
  const before = Date.now()
  const guest = await new QueryClient().fetchQuery(guestInfoQuery)
  expect(guest).toMatchObject({ remainingMessages: 2, messageLimit: 2 })
  const reset = Date.parse(guest?.nextResetDate ?? '')
  expect(reset).toBeGreaterThanOrEqual(before + week)
  expect(reset).toBeLessThanOrEqual(Date.now() + week)
})
