import { moneyAdminRoutes, moneyInternalRoutes, type RequestCount } from '@parley/contracts'
import { newId } from '@parley/kit'
import { adminPrincipal, servicePrincipal, userPrincipal } from '@parley/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { givenBilling, type RunningBilling } from './given.ts'

let billing: RunningBilling
beforeEach(async () => {
  billing = await givenBilling()
})
afterEach(() => billing.stop())

const minute = Math.floor(Date.now() / 60_000) - 120
const requests = (userId: string, changes: Partial<RequestCount> = {}): RequestCount => ({
  ...{ area: 'web', subject: `user:${userId}`, userId, kind: 'sending', times: 1, minute, count: 1 },
  ...changes,
})
const ofKey = requests('of-a-key', { area: 'apiV1', subject: 'key:k', times: 2, count: 50 })
const count = (counts: RequestCount[], id = newId()) =>
  billing.as(servicePrincipal('gateway')).call(moneyInternalRoutes.countRequests, { body: { id, counts } })
const preview = async (windowMinutes: number, maxRequests: number, area: 'web' | 'apiV1' = 'web') => {
  const query = { area, windowMinutes, maxRequests }
  return (await billing.as(adminPrincipal()).call(moneyAdminRoutes.limitsPreview, { query })).body
}

test('a preview shows whom other limits would have affected, from the reports of two gateways', async () => {
  await count([requests('busy', { count: 30 }), requests('busy', { count: 5, minute: minute + 3 }), requests('calm')])
  await count([requests('busy', { count: 10 }), requests('reader', { kind: 'reading', times: 20, count: 90 })], 'again')
  await count([requests('busy', { count: 10 }), requests('reader', { kind: 'reading', times: 20, count: 90 })], 'again')
  await count([ofKey])
  const found = await preview(1, 30)
  expect(found).toMatchObject({ subjects: 3, limited: 1, refused: 10 })
  expect(Date.parse(found.to) - Date.parse(found.from)).toBe(7 * 86_400_000)
  expect(await preview(5, 30)).toMatchObject({ limited: 1, refused: 15 })
  expect(await preview(1, 40)).toMatchObject({ subjects: 3, limited: 0, refused: 0 })
  expect(await preview(1, 4)).toMatchObject({ limited: 2, refused: 37 + 10 })
  expect(await preview(1, 24, 'apiV1')).toMatchObject({ subjects: 1, limited: 1, refused: 2 })
  // Rows that the previous version has written have no total.
  await billing.query('alter table billing.request_hours disable trigger request_counts_summed')
  await billing.query('update billing.request_hours set total = null')
  expect(await preview(1, 30)).toMatchObject({ subjects: 3, limited: 1, refused: 10 })
})

test('a preview forgets data older than seven days, and erased users, including their late data', async () => {
  const week = 7 * 24 * 60
  await count([
    ofKey,
    requests('gone', { area: 'apiV1', count: 9 }),
    requests('past', { area: 'apiV1', minute: minute - week, count: 9 }),
  ])
  const before = await preview(1, 8, 'apiV1')
  expect(before).toMatchObject({ limited: 2, refused: 35 })
  await billing.deleted('gone', 'erasure-of-gone')
  await expect
    .poll(() => preview(1, 8, 'apiV1'))
    .toMatchObject({ subjects: before.subjects - 1, limited: 1, refused: 34 })
  await count([requests('gone', { area: 'apiV1', count: 9 })])
  expect(await preview(1, 8, 'apiV1')).toMatchObject({ limited: 1 })
})

test('a preview needs all three of its parameters and an admin', async () => {
  const api = billing.as(adminPrincipal())
  const path = '/api/admin/limits/preview'
  for (const query of ['', '?area=web&windowMinutes=1', '?area=web&maxRequests=1', '?windowMinutes=1&maxRequests=1']) {
    expect((await api.get(`${path}${query}`)).status, query).toBe(400)
  }
  expect((await api.get(`${path}?area=mail&windowMinutes=1&maxRequests=1`)).status).toBe(400)
  const asUser = billing.as(userPrincipal())
  expect((await asUser.get(`${path}?area=web&windowMinutes=1&maxRequests=1`)).status).toBe(403)
})
