import { type EventOf, modelAdminRoutes } from '@parley/contracts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { completion, type GivenRouter, givenRouter } from './given-router.ts'

let router: GivenRouter
const told: EventOf<'llm-router.provider-used'>['data'][] = []
beforeEach(async () => {
  told.length = 0
  router = await givenRouter()
  await router.bus.subscribe({
    group: 'test.costs',
    handlers: { 'llm-router.provider-used': async ({ data }) => void told.push(data) },
  })
})
afterEach(() => router.stop())

const change = (id: string, body: object) =>
  router.admin.call(modelAdminRoutes.update, { params: { id }, body: body as never })

test('a price is stored, can be changed and removed, and is omitted if unknown', async () => {
  const priced = await router.model({ id: 'priced', inputPrice: 250_000 })
  expect([priced.inputPrice, 'outputPrice' in priced]).toEqual([250_000, false])
  expect((await change('priced', { outputPrice: 1_000_000 })).body.model).toMatchObject({
    ...{ inputPrice: 250_000, outputPrice: 1_000_000 },
  })
  expect((await change('priced', { inputPrice: null })).body.model).not.toHaveProperty('inputPrice')
  expect((await change('priced', { inputPrice: -1 })).status).toBe(400)
})

test('answers are costed by their models’ prices at the time, and days are published by events', async () => {
  await router.model({ id: 'dear', inputPrice: 2_000_000, outputPrice: 8_000_000 })
  await router.model({ id: 'unpriced' })
  const usage = { inputTokens: 100, outputTokens: 10 }
  router.provider.always({ text: 'Hi', usage })
  await completion(router, 'dear')
  await change('dear', { outputPrice: 4_000_000 })
  await completion(router, 'dear')
  await completion(router, 'unpriced')
  const cost = 100 * 2_000_000 + 10 * 8_000_000 + (100 * 2_000_000 + 10 * 4_000_000)
  await expect
    .poll(() => told.at(-1))
    .toMatchObject({ date: new Date().toISOString().slice(0, 10), calls: 3, inputTokens: 300, outputTokens: 30, cost })
})
