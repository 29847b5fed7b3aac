import { type CompletionLine, completionLineSchema, modelInternalRoutes } from '@parley/contracts'
import { collect, type ProviderScript, readLines, waitUntil } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiKey, completion, type GivenRouter, givenRouter, promptOf, textOf } from './given-router.ts'

let router: GivenRouter
beforeAll(async () => {
  router = await givenRouter()
  await router.model({ id: 'by-openai', sdkType: 'openai-sdk', creditsPerMessage: 3, apiModelName: 'upstream-name' })
  await router.model({ id: 'by-fetch', sdkType: 'fetch', creditsPerMessage: 3, apiModelName: 'upstream-name' })
  await router.model({
    id: 'by-anthropic',
    provider: 'anthropic',
    sdkType: 'anthropic-sdk',
    creditsPerMessage: 3,
    apiModelName: 'upstream-name',
  })
})
beforeEach(() => router.provider.reset())
afterAll(() => router.stop())

const every = ['by-openai', 'by-fetch', 'by-anthropic'] as const

describe.each(every)('a completion %s', (model) => {
  test('has start, reasoning, text and end with the provider’s figures', async () => {
    router.provider.reply({
      reasoning: ['Hm. ', 'Yes.'],
      chunks: ['Hello', ' there'],
      usage: { inputTokens: 11, outputTokens: 22 },
      finishReason: 'length',
    })
    const answer = await completion(router, model)
    expect(answer.headers['content-type']).toContain('application/x-ndjson')
    for (const line of answer.lines) expect(completionLineSchema.parse(line)).toEqual(line)
    expect(answer.lines[0]).toMatchObject({ type: 'start', model, creditsPerMessage: 3 })
    expect([textOf(answer.lines, 'reasoning'), answer.text]).toEqual(['Hm. Yes.', 'Hello there'])
    expect(answer.last).toEqual({
      type: 'end',
      finishReason: 'length',
      usage: { inputTokens: 11, outputTokens: 22, estimated: false },
    })
  })

  test('sends the model’s name, limit, prompt and key, and nothing else', async () => {
    await completion(router, model, {
      messages: [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: 'Hello' },
      ],
    })
    const { headers, body } = await router.provider.call(1)
    expect(body).toMatchObject({ model: 'upstream-name', stream: true, max_tokens: 8192 })
    expect(JSON.stringify([body.system, body.messages])).toContain('Be brief')
    expect(body).not.toHaveProperty('temperature')
    expect(body).not.toHaveProperty('customHeaders')
    expect(headers['x-api-key'] ?? headers.authorization).toContain(apiKey)
    expect(headers['x-identity']).toBeUndefined()
  })

  test('estimates tokens when the provider gives no figures, and marks that', async () => {
    router.provider.reply({ text: 'one two three four', usage: 'none' })
    const answer = await completion(router, model)
    expect(answer.last).toEqual({
      type: 'end',
      finishReason: 'stop',
      usage: { inputTokens: 5, outputTokens: 4, estimated: true },
    })
  })

  test('handles characters split across chunks, and CR LF', async () => {
    const script = {
      chunks: ['Grüße 🌍', '日本語', ' and ', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
      splitUtf8: true,
      crlf: true,
    }
    router.provider.reply(script)
    expect((await completion(router, model)).text).toBe(script.chunks.join(''))
  })

  test('keeps order and loses nothing over 5,000 pieces', async () => {
    const chunks = Array.from({ length: 5_000 }, (_, index) => `${index} `)
    router.provider.reply({ chunks })
    expect((await completion(router, model)).text).toBe(chunks.join(''))
  })

  test.each([
    ['the socket is cut', { cutAfterChunks: 2 }],
    ['the stream ends early', { endAfterChunks: 2 }],
    ['an error comes inside the stream', { errorFrameAfter: 2 }],
    ['a frame is not JSON', { garbage: 'json' }],
    ['bytes are not UTF-8', { garbage: 'utf8' }],
  ] as const)('keeps what came and ends in an error line when %s', async (_what, fault) => {
    router.provider.reply({ chunks: ['one ', 'two ', 'three'], ...fault })
    const answer = await completion(router, model)
    expect(answer.text).toMatch(/^one (two )?$/)
    expect(answer.last).toMatchObject({ type: 'error', code: 'provider_error', error: 'Streaming was interrupted' })
    expect(answer.last).toHaveProperty('usage.estimated', true)
    expect(answer.last).toHaveProperty('usage.outputTokens', answer.text === 'one ' ? 2 : 3)
    expect(router.provider.calls).toHaveLength(1)
  })

  test.each([
    ['429', { status: 429 }, 3],
    ['500', { status: 500 }, 3],
    ['a web page', { garbage: 'page' }, 3],
    ['nothing at all', { text: '' }, 3],
    ['a cut before the first piece', { cutAfterChunks: 0 }, 3],
    ['an error frame before the first piece', { errorFrameAfter: 0 }, 3],
    ['400', { status: 400 }, 1],
    ['401', { status: 401 }, 1],
    ['403', { status: 403 }, 1],
    ['404', { status: 404 }, 1],
  ] as const)('answers 502 to %s after %j', async (_what, script, tries) => {
    router.provider.always({
      ...script,
      ...('status' in script && { body: `{"error":{"message":"${apiKey} at 10.0.0.7"}}` }),
    })
    const answer = await completion(router, model)
    expect(answer.status).toBe(502)
    expect(answer.body).toMatchObject({ code: 'provider_error' })
    expect(JSON.stringify(answer.body)).not.toMatch(/canary|10\.0\.0\.7|secret-upstream|status/)
    expect(router.provider.calls).toHaveLength(tries)
  })

  test('recovers through a retry before the first piece', async () => {
    router.provider.reply(
      { status: 500 },
      { status: 429, headers: { 'retry-after': '0' } },
      { text: 'third time lucky' },
    )
    expect((await completion(router, model)).text).toBe('third time lucky')
    expect(router.provider.calls).toHaveLength(3)
  })

  test('does not wait for a Retry-After beyond its deadline', async () => {
    router.provider.reply({ status: 429, headers: { 'retry-after': '3600' } })
    expect((await completion(router, model)).status).toBe(502)
    expect(router.provider.calls).toHaveLength(1)
  })

  test.each([
    ['before headers', 'before-headers'],
    ['before the first piece', 'before-first'],
    ['mid-stream', { after: 2 }],
  ] as const)('cancels the provider’s call when its own caller leaves %s', async (_what, hang) => {
    // Retried in case the machine stalled.
    await expect.poll(() => cancelledWithin(hang)).toBeLessThan(250)
  })

  /** Disconnects, and resolves to the milliseconds until the provider's call was cancelled. */
  const cancelledWithin = async (hang: NonNullable<ProviderScript['hang']>): Promise<number> => {
    router.provider.reset()
    router.provider.reply({ chunks: ['one ', 'two ', 'three'], hang })
    const leave = new AbortController()
    const opened = router.chat.stream(modelInternalRoutes.complete, { body: promptOf(model), signal: leave.signal })
    const ended = opened.then((answer) => collect(readLines(answer))).catch((error: Error) => error)
    await router.provider.call(1)
    await expect.poll(() => router.provider.calls[0]?.sentChunks).toBe(typeof hang === 'object' ? 2 : 0)
    const leftAt = performance.now()
    leave.abort()
    const call = await router.provider.aborted(1)
    expect(await ended).toBeInstanceOf(Error)
    expect(router.provider.calls).toHaveLength(1)
    return call.abortedAt - leftAt
  }
})

describe('completions', () => {
  test('include the usage figures of DeepSeek’s and OpenRouter’s kinds of reasoning', async () => {
    router.provider.reply({ reasoning: ['because'], reasoningField: 'reasoning', text: 'so' })
    expect(textOf((await completion(router, 'by-openai')).lines, 'reasoning')).toBe('because')
  })

  test('never log the provider’s text or the key', async () => {
    router.provider.always({ status: 401, body: `{"error":{"message":"secret-upstream-detail ${apiKey}"}}` })
    for (const model of every) await completion(router, model)
    expect(router.logged()).toContain('a model did not answer')
    expect(router.logged()).not.toMatch(/canary|secret-upstream/)
  })

  test('keep 50 concurrent streams apart', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        completion(router, every[index % 3] as string, { messages: [{ role: 'user', content: `number ${index}` }] }),
      ),
    )
    expect(answers.map((answer) => answer.text)).toEqual(answers.map((_, index) => `You said: number ${index}`))
  })

  test('write lines as they arrive', async () => {
    router.provider.reply({ chunks: ['one ', 'two'], hang: { after: 1 } })
    const answer = await router.chat.stream(modelInternalRoutes.complete, { body: promptOf('by-openai') })
    const lines = readLines<CompletionLine>(answer)
    expect((await lines.next()).value).toMatchObject({ type: 'start' })
    expect((await lines.next()).value).toEqual({ type: 'text', text: 'one ' })
    answer.body.destroy()
    await router.provider.aborted(1)
  })

  test.each(every)('hold the provider of %s back for a reader that takes nothing, and lose nothing', async (model) => {
    const chunks = Array.from({ length: 1_000 }, (_, index) => `${index}${'x'.repeat(64 * 1024)}`)
    router.provider.reply({ chunks })
    const answer = await router.chat.stream(modelInternalRoutes.complete, { body: promptOf(model) })
    const sent = () => router.provider.calls[0]?.sentChunks ?? 0
    let last = -1
    await waitUntil(
      () => {
        const still = sent() === last && last > 0
        last = sent()
        return still
      },
      'the provider to be held back',
      undefined,
      200,
    )
    expect(sent()).toBeLessThan(chunks.length / 2)
    expect(textOf(await collect(readLines<CompletionLine>(answer)))).toBe(chunks.join(''))
  })
})
