import type { Principals } from '@parley/kit/access-token'
import { afterEach, expect, it, vi } from 'vitest'
import type { Connection } from '../sockets/connection.ts'
import { createConnections } from './connections.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('a connection is closed once its rights have been unknown for 30 s', async () => {
  const ended: string[] = []
  const sessionStatus = () => Promise.reject(new Error('auth is away'))
  const connections = createConnections({ sessionStatus } as unknown as Principals)
  connections.add({ userId: 'ann', isAdmin: false, end: (code: string) => ended.push(code) } as unknown as Connection)
  vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(30_001)
  await connections.reviewAll()
  expect(ended).toEqual(['unavailable'])
})
