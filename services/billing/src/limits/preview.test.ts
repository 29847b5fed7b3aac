import { expect, it } from 'vitest'
import type { PageOfRequests } from '../store/request-count-store.ts'
import { refusedBy } from './preview.ts'
import { readPreview } from './read-preview.ts'

const asked = (...minutes: readonly (readonly [minute: number, count: number])[]) => ({
  ...{ subject: 'user:ann', kind: 'sending', times: 1 },
  minutes: minutes.map(([minute, count]) => ({ minute, count })),
})

it('a limit refuses requests over it in a window that starts with its first request', () => {
  const requests = asked([10, 3], [14, 2], [15, 4])
  expect(refusedBy(requests, { windowMinutes: 5, maxRequests: 4 })).toBe(1)
  expect(refusedBy(requests, { windowMinutes: 6, maxRequests: 4 })).toBe(5)
  expect(refusedBy(requests, { windowMinutes: 1, maxRequests: 4 })).toBe(0)
})

it('a limit applies as many times as the subject may use it', () => {
  const requests = { ...asked([10, 100]), times: 20 }
  expect(refusedBy(requests, { windowMinutes: 1, maxRequests: 4 })).toBe(20)
  expect(refusedBy(asked(), { windowMinutes: 1, maxRequests: 4 })).toBe(0)
})

it('a preview reads the requests of however many subjects page by page', async () => {
  const subjects = Array.from({ length: 2_500 }, (_, nth) => ({ ...asked([10, 5]), subject: `user:${1_000 + nth}` }))
  const requests = {
    countSubjects: async () => subjects.length,
    page: async ({ after, limit }: PageOfRequests) => {
      const from = subjects.findIndex(({ subject }) => subject === after?.subject) + 1
      return subjects.slice(from, from + limit)
    },
  }
  const limit = { area: 'web', windowMinutes: 1, maxRequests: 4 } as const
  expect(await readPreview(requests, limit, new Date())).toMatchObject({ limited: 2_500, refused: 2_500 })
})
