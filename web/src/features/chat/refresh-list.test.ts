import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { historyQuery } from '../../shared/api/index.ts'
import { refreshListSoon } from './refresh-list.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('the list of chats is reloaded 500 ms after a chat was started', async () => {
  const client = new QueryClient()
  client.setQueryData(historyQuery.queryKey, { pages: [], pageParams: [] })
  const isStale = () => client.getQueryState(historyQuery.queryKey)?.isInvalidated
  refreshListSoon(client)
  await vi.advanceTimersByTimeAsync(499)
  expect(isStale()).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(isStale()).toBe(true)
})
