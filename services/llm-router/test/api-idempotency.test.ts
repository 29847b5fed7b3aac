import { apiErrorSchema } from '@parley/contracts'
import { newId } from '@parley/kit'
import { keyPrincipal, testEvent } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GivenApi, givenApi } from './given-api.ts'

const hello = { model: 'gpt', messages: [{ role: 'user', content: 'Hello' }] }

describe('requests with one Idempotency-Key', () => {
  let given: GivenApi
  beforeAll(async () => {
    given = await givenApi()
  })
  afterAll(() => given.stop())
  beforeEach(() => {
    given.provider.reset()
    given.billing.holds.clear()
  })
  const send = (body: object, idempotencyKey: string, key = keyPrincipal()) =>
    given.as(key).post('/api/v1/chat/completions', body, { headers: { 'idempotency-key': idempotencyKey } })
  const charges = () => [...given.billing.holds.values()].map(({ settled }) => settled)

  it.each([
    ['whole', {}],
    ['streamed', { stream: true }],
  ])('cause one provider call, one charge and 50 equal answers when 50 arrive at once (%s)', async (_how, more) => {
    const key = keyPrincipal()
    const body = { ...hello, ...more }
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(body, 'fifty', key)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.text).toContain('You')
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(49)
    const later = await send(body, 'fifty', key)
    expect([later.text, later.headers['content-type']]).toEqual([answers[0]?.text, answers[0]?.headers['content-type']])
    expect(given.provider.calls).toHaveLength(1)
    await expect.poll(charges).toEqual([5])
    await given.ended(key)
    expect(given.finished.filter(({ keyId }) => keyId === key.keyId)).toHaveLength(1)
  })

  it('and different bodies are refused with 409, which clients do not retry', async () => {
    const key = keyPrincipal()
    expect((await send(hello, 'other', key)).status).toBe(200)
    const other = await send({ ...hello, seed: 1 }, 'other', key)
    expect([other.status, apiErrorSchema.parse(other.body).error.code]).toEqual([409, 'conflict'])
    expect(other.headers['x-should-retry']).toBe('false')
    expect((await send({ ...hello, seed: 1 }, 'other')).status).toBe(200)
    const body = { ...hello, max_tokens: 10 }
    expect((await send(body, 'elsewhere', key)).status).toBe(200)
    const headers = { 'idempotency-key': 'elsewhere' }
    expect((await given.as(key).post('/api/v1/messages', body, { headers })).status).toBe(409)
  })

  it('may be retried if the first failed before its answer started', async () => {
    const key = keyPrincipal()
    given.provider.reply({ status: 401 })
    expect((await send(hello, 'failed', key)).status).toBe(502)
    const again = await send(hello, 'failed', key)
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, undefined])
    await expect.poll(charges).toEqual([0, 5])
  })

  it('are answered to the end if the first caller leaves, and the next one gets that answer', async () => {
    const key = keyPrincipal()
    let proceed: () => void = () => undefined
    const until = new Promise<void>((resolve) => {
      proceed = resolve
    })
    given.provider.reply({ chunks: ['One', ' two'], pause: { after: 1, until } })
    const raw = JSON.stringify({ ...hello, stream: true })
    const leave = new AbortController()
    const open = await given
      .as(key)
      .open('POST', '/api/v1/chat/completions', { raw, signal: leave.signal, headers: { 'idempotency-key': 'left' } })
    for await (const _piece of open.body) break
    leave.abort()
    const again = send({ ...hello, stream: true }, 'left', key)
    proceed()
    expect((await again).text).toMatch(/"One".*" two".*\[DONE\]/s)
    expect(given.provider.calls).toHaveLength(1)
    await expect.poll(charges).toEqual([5])
  })

  it('that arrive during a stream replay it from the start, byte for byte', async () => {
    const key = keyPrincipal()
    let proceed: () => void = () => undefined
    const until = new Promise<void>((resolve) => {
      proceed = resolve
    })
    given.provider.reply({ chunks: ['One', ' two', ' three'], pause: { after: 2, until } })
    const raw = JSON.stringify({ ...hello, stream: true })
    /** Opens a stream and reads it up to a text; resolves to a function that reads the rest. */
    const openUpTo = async (text: string) => {
      const { headers, body } = await given
        .as(key)
        .open('POST', '/api/v1/chat/completions', { raw, headers: { 'idempotency-key': 'followed' } })
      const pieces = body[Symbol.asyncIterator]()
      let read = ''
      while (!read.includes(text)) read += (await pieces.next()).value
      const whole = async () => {
        for (let piece = await pieces.next(); piece.done !== true; piece = await pieces.next()) read += piece.value
        return read
      }
      return { replayed: headers['idempotent-replayed'], whole }
    }
    const first = await openUpTo('" two"')
    const repeats = [await openUpTo('" two"'), await openUpTo('" two"')]
    proceed()
    const text = await first.whole()
    expect(text).toMatch(/"One".*" two".*" three".*\[DONE\]/s)
    expect([first, ...repeats].map(({ replayed }) => replayed)).toEqual([undefined, 'true', 'true'])
    for (const { whole } of repeats) expect(await whole()).toBe(text)
    expect(given.provider.calls).toHaveLength(1)
    await expect.poll(charges).toEqual([5])
  })

  it('are refused once their user is erased (401): the stored answer is not replayed, and no other is made', async () => {
    const key = keyPrincipal({ userId: newId() })
    for (let nth = 0; nth < 2; nth += 1) expect((await send(hello, 'late', key)).status).toBe(200)
    const deleted = { userId: key.userId, erasureId: newId() }
    await given.bus.publish([testEvent('auth.user-deleted', key.userId, deleted)])
    await expect.poll(async () => (await send(hello, 'late', key)).status).toBe(401)
    const other = await send(hello, 'later', key)
    expect([other.status, apiErrorSchema.parse(other.body).error.code]).toEqual([401, 'invalid_api_key'])
    expect(given.provider.calls).toHaveLength(1)
  })

  it.each(['', 'x'.repeat(256), 'a b'])('are refused if the key is malformed (%j)', async (idempotencyKey) => {
    const { status } = await send(hello, idempotencyKey)
    expect(status).toBe(400)
  })
})
