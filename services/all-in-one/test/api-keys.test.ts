import Anthropic from '@anthropic-ai/sdk'
import { untilPasses } from '@parley/testing'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type Person, unlimited, type World } from './given.ts'

/** From the gateway to the provider and back, with keys created by users. */
describe('a program with an API key', () => {
  let world: World
  let admin: Person
  let person: Person
  beforeAll(async () => {
    world = await openWorld()
    await world.settings(unlimited)
    ;[admin, person] = [await world.admin(), await world.register()]
  })
  afterAll(() => world.close())
  const at = () => world.replicas[0]?.url ?? ''
  const newKey = async (): Promise<{ id: string; secret: string }> => {
    const { status, body } = await person.api.post('/api/user/keys', { label: 'Test' })
    expect(status).toBe(201)
    const { key, secret } = body as { key: { id: string }; secret: string }
    return { id: key.id, secret }
  }
  const openai = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${at()}/api/v1`, maxRetries: 0 })
  const hello = { model: 'v3', messages: [{ role: 'user' as const, content: 'Hello' }] }
  const credits = async () => (await person.api.get('/api/user/credits')).body as { remaining: number; held: number }

  it("gets answers with the official clients of OpenAI and Anthropic, charged to the key's owner", async () => {
    const { secret } = await newKey()
    const before = (await credits()).remaining
    const whole = await openai(secret).chat.completions.create(hello)
    expect(whole.choices[0]?.message.content).toBe('You said: Hello')
    const { response } = await openai(secret).chat.completions.create(hello).withResponse()
    expect(response.headers.get('x-credits-remaining')).toBe(String(before - 2))
    const streamed = await openai(secret).chat.completions.stream(hello).finalChatCompletion()
    expect(streamed.choices[0]?.message.content).toBe('You said: Hello')
    const anthropic = new Anthropic({ apiKey: secret, baseURL: `${at()}/api`, maxRetries: 0 })
    const message = await anthropic.messages.create({ ...hello, max_tokens: 50 })
    expect(message.content).toMatchObject([{ type: 'text', text: 'You said: Hello' }])
    await untilPasses(async () => expect(await credits()).toMatchObject({ remaining: before - 4, held: 0 }))
  })

  it('finds its request in the owner’s receipts by the id in the answer, complete and streamed, in both dialects', async () => {
    const { id, secret } = await newKey()
    const anthropic = new Anthropic({ apiKey: secret, baseURL: `${at()}/api`, maxRetries: 0 })
    const message = { ...hello, max_tokens: 50 }
    const { data: chat, response } = await openai(secret).chat.completions.create(hello).withResponse()
    const receipt = { source: 'key', keyId: id, model: 'v3', charged: 1, outcome: 'complete' }
    const generationId = response.headers.get('x-generation-id')
    const answerIds = [
      (await openai(secret).chat.completions.stream(hello).finalChatCompletion()).id,
      (await openai(secret).responses.create({ model: 'v3', input: 'Hello' })).id,
      (await anthropic.messages.create(message)).id,
      (await anthropic.messages.stream(message).finalMessage()).id,
    ]
    const receiptOf = async (name: string | null) => (await person.api.get(`/api/user/receipts/${name}`)).body
    await untilPasses(async () => {
      for (const name of [chat.id, generationId])
        expect(await receiptOf(name)).toMatchObject({ ...receipt, generationId })
      for (const name of answerIds) expect(await receiptOf(name), name).toMatchObject(receipt)
    })
    expect(new Set([chat.id, ...answerIds]).size).toBe(5)
    expect((await admin.api.get(`/api/user/receipts/${chat.id}`)).status).toBe(404)
  })

  it('reads its usage and remaining rate limit', async () => {
    const { id, secret } = await newKey()
    await openai(secret).chat.completions.create(hello)
    await untilPasses(async () => {
      const { status, body } = await world
        .at()
        .with({ authorization: `Bearer ${secret}` })
        .get('/api/v1/usage')
      expect([status, body]).toMatchObject([
        200,
        { id, tier: 1, limits: { requests: 60, windowMinutes: 1 }, usage: { total: { requests: 1 } } },
      ])
    })
    const { body } = await person.api.get('/api/user/keys')
    const { keys } = body as { keys: { id: string; limits: { remaining: number } }[] }
    expect(keys.find((key) => key.id === id)?.limits.remaining).toBe(59)
  })

  it('is refused as soon as its key is revoked or the owner banned', async () => {
    const [revoked, banned] = [await newKey(), await newKey()]
    const chat = (secret: string) => openai(secret).chat.completions.create(hello)
    await Promise.all([chat(revoked.secret), chat(banned.secret)])
    await person.api.delete(`/api/user/keys/${revoked.id}`)
    await untilPasses(() =>
      expect(chat(revoked.secret)).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' }),
    )
    await admin.api.patch(`/api/admin/users/${person.user._id}`, { banned: true })
    await untilPasses(() => expect(chat(banned.secret)).rejects.toMatchObject({ status: 403, code: 'account_banned' }))
  })
})
