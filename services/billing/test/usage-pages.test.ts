import { usageAdminRoutes as admin } from '@parley/contracts'
import { adminPrincipal } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenBilling, type RunningBilling } from './given.ts'

const day = '2018-05-05'
const used = { b: 5, a: 2, c: 2, d: 1 }

describe('usage of all users', () => {
  let billing: RunningBilling
  beforeAll(async () => {
    billing = await givenBilling()
    const lines = Object.entries(used).map(
      ([name, requests]) =>
        `('${day}', '${name}', 'key-${name}', 'some/${name}', ${requests}, 0, 0, 0, 0, false, 0, 0)`,
    )
    await billing.query(`insert into usage_days values ${lines.join()}`)
    await billing.query('insert into usage_models select day, model, requests, 0, 0, 0, 0, false, 0, 0 from usage_days')
  })
  afterAll(() => billing.stop())

  const page = async (by: 'day' | 'user' | 'model' | 'key', cursor: { cursor?: string } = {}) =>
    (await billing.as(adminPrincipal()).call(admin.usage, { query: { by, from: day, to: day, limit: 2, ...cursor } }))
      .body

  it.each([
    ['user', ''],
    ['model', 'some/'],
    ['key', 'key-'],
  ] as const)(
    'by %s is paged, sorted by the number of requests, and by id where these are equal',
    async (by, prefix) => {
      const first = await page(by)
      const second = await page(by, { cursor: first.nextCursor ?? '' })
      const third = await page(by, { cursor: second.nextCursor ?? '' })
      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(
        Object.keys(used).map((name) => prefix + name),
      )
      expect(third).toEqual({ items: [], nextCursor: null })
    },
  )

  it('by day is not paged', async () => {
    expect(await page('day')).toMatchObject({ items: [{ id: day, requests: 10 }], nextCursor: null })
  })

  it('is exported as a complete file, whatever the limit', async () => {
    const file = await billing
      .as(adminPrincipal())
      .get(`/api/admin/usage?by=user&from=${day}&to=${day}&limit=1&format=csv`)
    expect(
      file.text
        .trim()
        .split('\r\n')
        .map((row) => row.split(',')[0]),
    ).toEqual(['id', ...Object.keys(used)])
  })

  it.each([
    'user/usage?from=0000-01-01',
    'user/usage?to=0000-01-20',
    'admin/usage?by=user&from=0000-02-29T00:00:00Z',
    'admin/first-token?from=0000-01-01',
    'admin/money?to=0000-01-20',
  ])('of a year that the database does not know is refused: GET /api/%s (400)', async (path) => {
    expect((await billing.as(adminPrincipal()).get(`/api/${path}`)).status).toBe(400)
  })

  it.each(['by=user&cursor=x', 'by=model&cursor=1.%00', 'by=day&cursor=1.eA'])(
    'is refused with ?%s (400)',
    async (query) => {
      expect((await billing.as(adminPrincipal()).get(`/api/admin/usage?${query}`)).status).toBe(400)
    },
  )
})
