import { keyPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GivenApi, givenApi } from './given-api.ts'
import { completion } from './given-router.ts'

const accounts = { openai: ['sk-one', 'sk-two', 'sk-three'], anthropic: ['sk-left', 'sk-right'] }

describe('several accounts of a provider', () => {
  let given: GivenApi
  beforeAll(async () => {
    given = await givenApi({
      providers: ({ openaiUrl, url }) => ({
        openai: { apiKeys: accounts.openai, baseUrl: openaiUrl },
        anthropic: { apiKeys: accounts.anthropic, baseUrl: url },
        // A provider whose accounts no other test puts to rest.
        xai: { apiKeys: accounts.openai, baseUrl: openaiUrl },
        deepseek: { apiKeys: accounts.openai, baseUrl: openaiUrl },
      }),
    })
    await given.model({ id: 'grok', provider: 'xai', apiModelName: 'grok-real', fallbackModels: ['gpt'] })
    await given.model({ id: 'balanced', provider: 'deepseek' })
  })
  beforeEach(() => given.provider.reset())
  afterAll(() => given.stop())

  const usedKeys = () =>
    given.provider.calls.map(({ headers }) => headers['x-api-key'] ?? String(headers.authorization).slice(7))
  const ask = (model: string, path = 'chat/completions') =>
    given
      .as(keyPrincipal())
      .post(`/api/v1/${path}`, { model, max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] })

  it('are used in turn, on the web and by key', async () => {
    for (let call = 0; call < 3; call += 1) {
      expect((await ask('balanced')).status).toBe(200)
      expect((await completion(given, 'balanced')).status).toBe(200)
    }
    const [one, two, three] = accounts.openai
    expect(usedKeys()).toEqual([one, two, three, one, two, three])
  })

  it.each([401, 402, 403, 429])('are tried one after the other when one is refused with %d', async (status) => {
    given.provider.reply({ status, headers: { 'retry-after': '0' } })
    const answer = await ask('gpt')
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('You said: Hello')])
    expect(new Set(usedKeys()).size).toBe(2)
    expect(given.provider.calls.map(({ body }) => body.model)).toEqual(['gpt-real', 'gpt-real'])
  })

  it('rest as long as the refusal asked, on the web as well', async () => {
    given.provider.reply({ status: 429, headers: { 'retry-after': '600' } })
    expect((await ask('claude', 'messages')).status).toBe(200)
    const [refused, other] = usedKeys()
    expect(new Set([refused, other])).toEqual(new Set(accounts.anthropic))
    for (let call = 0; call < 2; call += 1) expect((await completion(given, 'claude')).status).toBe(200)
    expect(usedKeys().slice(1)).toEqual([other, other, other])
  })

  it('are all tried before a fallback', async () => {
    given.provider.always({ status: 401 }, ({ model }) => model === 'grok-real')
    expect((await completion(given, 'grok')).lines[0]).toMatchObject({ type: 'start', model: 'gpt' })
    expect(new Set(usedKeys().slice(0, 3))).toEqual(new Set(accounts.openai))
    expect(given.provider.calls.map(({ body }) => body.model)).toEqual([
      ...accounts.openai.map(() => 'grok-real'),
      'gpt-real',
    ])
  })

  it('never have their keys logged', () => {
    expect(given.logged()).toContain('a provider refused an account')
    for (const key of Object.values(accounts).flat()) expect(given.logged()).not.toContain(key)
  })
})
