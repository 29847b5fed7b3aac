import type { KeyPrincipal } from '@parley/contracts'
import { newId } from '@parley/kit'
import { keyPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GivenApi, givenApi } from './given-api.ts'

let given: GivenApi
beforeAll(async () => {
  given = await givenApi()
})
afterAll(() => given.stop())
beforeEach(() => {
  given.provider.reset()
  given.billing.refusal = undefined
})

const tenRequests = () => keyPrincipal({ tier: 5, customLimits: { requests: 10, windowMinutes: 60 } })
const ask = (key: KeyPrincipal, body: object = {}) =>
  given.as(key).post('/api/v1/responses', { model: 'gpt', input: 'Hello', ...body })
const remaining = ({ headers }: { headers: Record<string, unknown> }) => headers['x-ratelimit-remaining-requests']
/** The statuses of calls made one after the other. */
async function statuses(count: number, call: () => Promise<{ status: number }>): Promise<number[]> {
  const got: number[] = []
  for (let nth = 0; nth < count; nth += 1) got.push((await call()).status)
  return got
}
const times = (count: number, status: number) => Array.from({ length: count }, () => status)

describe('a continued response', () => {
  it('is refused before its conversation is looked up when its key has no request left (429)', async () => {
    const key = tenRequests()
    expect(await statuses(10, () => ask(key))).toEqual(times(10, 200))
    const refused = await ask(key, { previous_response_id: 'resp_unknown' })
    expect([refused.status, remaining(refused)]).toEqual([429, '0'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('is counted once, and takes no request of its key when it fails', async () => {
    const key = tenRequests()
    const first = await ask(key)
    const { id } = first.body as { id: string }
    const second = await ask(key, { previous_response_id: id })
    expect([second.status, remaining(second)]).toEqual([200, '8'])
    const failed = await ask(key, { previous_response_id: 'resp_unknown' })
    expect([failed.status, remaining(failed)]).toEqual([400, '8'])
    expect(remaining(await ask(key))).toBe('7')
  })

  it('that fails is limited all the same, also for references to items, and without limiting others', async () => {
    const key = tenRequests()
    const referring = { input: [{ type: 'item_reference', id: 'msg_unknown' }] }
    expect(await statuses(5, () => ask(key, { previous_response_id: 'resp_unknown' }))).toEqual(times(5, 400))
    expect(await statuses(6, () => ask(key, referring))).toEqual([...times(5, 400), 429])
    expect((await ask(key)).status).toBe(200)
  })

  it('that cannot be paid for is counted as any other request (402)', async () => {
    const key = tenRequests()
    const { id } = (await ask(key)).body as { id: string }
    given.billing.refusal = { status: 402, code: 'insufficient_credits' }
    const got = await statuses(10, () => ask(key, { previous_response_id: id }))
    expect(got).toEqual([...times(9, 402), 429])
  })

  it('has its prompt counted only within the limit of counts', async () => {
    const key = tenRequests()
    const count = () =>
      given.as(key).post('/api/v1/responses/input_tokens', { model: 'gpt', input: 'A', previous_response_id: 'resp_1' })
    expect(await statuses(11, count)).toEqual([...times(10, 400), 429])
  })
})

it('reading, cancelling and deleting stored responses are limited together, apart from the requests of their key', async () => {
  const key = tenRequests()
  const made = await ask(key)
  const path = `/api/v1/responses/${(made.body as { id: string }).id}`
  const calls = [
    () => given.as(key).get(path),
    () => given.as(key).get(`${path}/input_items`),
    () => given.as(key).post(`${path}/cancel`, {}),
    () => given.as(key).send('DELETE', path),
  ]
  const got: number[] = []
  for (const call of calls) got.push((await call()).status)
  expect(got).toEqual([200, 200, 400, 200])
  expect(await statuses(6, () => given.as(key).get(path))).toEqual(times(6, 404))
  for (const call of calls) {
    const refused = await call()
    expect([refused.status, remaining(refused)]).toEqual([429, '0'])
  }
  expect(remaining(await ask(key))).toBe('8')
})

describe('a request with an Idempotency-Key', () => {
  const send = (key: KeyPrincipal, idempotencyKey: string = newId(), input = 'Hello') =>
    given.as(key).post('/api/v1/responses', { model: 'gpt', input }, { headers: { 'idempotency-key': idempotencyKey } })

  it('that is a repeat is limited apart from the requests of its key, also with another body', async () => {
    const key = tenRequests()
    expect(await statuses(10, () => send(key, 'one'))).toEqual(times(10, 200))
    expect((await send(key, 'one', 'Another')).status).toBe(409)
    expect((await send(key, 'one')).status).toBe(429)
    expect(given.provider.calls).toHaveLength(1)
    expect(remaining(await ask(key))).toBe('8')
  })

  it('that is the first one is limited as any other, however many were repeated, and a repeat has the limits of its key', async () => {
    const key = tenRequests()
    expect(await statuses(10, () => send(key, 'one'))).toEqual(times(10, 200))
    expect(remaining(await send(key, 'one'))).toBe('9')
    expect(await statuses(10, () => send(key))).toEqual([...times(9, 200), 429])
  })

  it('that is refused because its key has none left counts as a repeat, so that refusals are limited, too', async () => {
    const key = tenRequests()
    expect(await statuses(10, () => send(key, 'one'))).toEqual(times(10, 200))
    expect(await statuses(9, () => ask(key))).toEqual(times(9, 200))
    expect((await send(key)).status).toBe(429)
    expect((await send(key, 'one')).status).toBe(429)
  })
})
