import { messagesBodySchema, moneyAdminRoutes, usageAdminRoutes, usageRoutes } from '@parley/contracts'
import { expect, it } from 'vitest'

const periods = {
  '/user/usage': usageRoutes.usage.query,
  '/user/receipts': usageRoutes.receipts.query,
  '/admin/usage': usageAdminRoutes.usage.query,
  '/admin/money': moneyAdminRoutes.money.query,
  '/admin/first-token': usageAdminRoutes.firstToken.query,
}

it.each(Object.entries(periods))(
  'a period of %s is refused if calculations with it could leave the calendar',
  (_path, query) => {
    const isTaken = (given: string) =>
      (['from', 'to'] as const).map((end) => query?.safeParse({ [end]: given }).success)
    for (const given of ['0000-01-01', '0001-01-01T00:00:00Z', '9999-12-31', '9999-12-31T23:59:59.999Z'])
      expect(isTaken(given), given).toEqual([false, false])
    for (const given of ['0002-01-01', '2024-02-29', '2030-01-01T12:00:00.000Z', '9998-12-31'])
      expect(isTaken(given), given).toEqual([true, true])
  },
)

it('a tool of a message in Anthropic’s format has no type, or one that is text', () => {
  const isTaken = (type: unknown) =>
    messagesBodySchema.safeParse({
      model: 'm',
      max_tokens: 1,
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ name: 't', type }],
    }).success
  expect([undefined, null, 'custom', 'bash_20250124'].map(isTaken)).toEqual([true, true, true, true])
  expect([{ toString: 1 }, ['web_search_20250305'], 1].map(isTaken)).toEqual([false, false, false])
})
