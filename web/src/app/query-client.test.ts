import { afterEach, expect, it, vi } from 'vitest'
import { ApiError } from '../shared/api/error.ts'
import { createQueryClient } from './query-client.ts'

afterEach(() => void vi.useRealTimers())

it.each([
  [400, 'validation_failed', 1],
  [401, 'unauthenticated', 1],
  [404, 'not_found', 1],
  [429, 'rate_limited', 1],
  [500, 'internal_error', 1],
  [502, 'unexpected', 3],
  [503, 'unavailable', 3],
  [0, 'network', 3],
])('a query that fails with %i %s is requested %i times', async (status, code, times) => {
  vi.useFakeTimers()
  let asked = 0
  const client = createQueryClient()
  const retry = client.getDefaultOptions().queries?.retry
  const failed = client
    .fetchQuery({
      queryKey: [code],
      ...(retry !== undefined && { retry }),
      queryFn: () => {
        asked += 1
        throw new ApiError({ status, code })
      },
    })
    .catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  expect(await failed).toMatchObject({ code })
  expect(asked).toBe(times)
})
