import type { SignalPayload } from '@parley/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { apiKey, completion, type GivenRouter, givenRouter } from './given-router.ts'

const watcher = { userId: 'ann', chatId: 'chat-1', messageId: 'message-1' }

describe('the watcher of an answer', () => {
  let router: GivenRouter
  const told: SignalPayload<'answer-delayed'>[] = []
  beforeAll(async () => {
    router = await givenRouter({ timeouts: { retryDelays: [1, 1] } })
    await router.model({ id: 'spare', apiModelName: 'spare' })
    await router.model({ id: 'last', apiModelName: 'last' })
    await router.model({ id: 'main', apiModelName: 'main', fallbackModels: ['spare', 'last'] })
    router.signal.subscribe('answer-delayed', (delayed) => told.push(delayed))
  })
  beforeEach(() => {
    router.provider.reset()
    told.length = 0
  })
  afterAll(() => router.stop())

  const only = (name: string) => (request: { model?: string }) => request.model === name
  const delays = () => told.map(({ delay }) => delay)
  const retry = (model: string, attempt: number) =>
    expect.objectContaining({ state: 'retrying', model, reason: 'failing', attempt, of: 3 })

  it('is told before the wait that the provider is busy and asks to wait, and how long', async () => {
    const heard = Promise.withResolvers<number>()
    const end = router.signal.subscribe('answer-delayed', () => heard.resolve(router.provider.calls.length))
    router.provider.reply({ status: 429, headers: { 'retry-after': '1' } })
    const answer = await completion(router, 'spare', { watcher })
    end()
    expect(await heard.promise).toBe(1)
    expect(answer.text).toBe('You said: Hello')
    const delay = { state: 'retrying', model: 'spare', reason: 'busy', attempt: 2, of: 3, waitMs: 1_000 }
    expect(told).toEqual([{ ...watcher, delay }])
  })

  it('is told once of each retry and each fallback, in order, without the provider’s text', async () => {
    router.provider.always({ status: 500, body: 'A secret of the provider' }, only('main'))
    router.provider.always({ status: 401 }, only('spare'))
    const answer = await completion(router, 'main', { watcher })
    expect(answer.lines[0]).toMatchObject({ type: 'start', model: 'last' })
    expect(delays()).toEqual([
      retry('main', 2),
      retry('main', 3),
      { state: 'falling-back', from: 'main', model: 'spare' },
      { state: 'falling-back', from: 'spare', model: 'last' },
    ])
    for (const secret of [apiKey, router.provider.url, 'A secret']) expect(JSON.stringify(told)).not.toContain(secret)
  })

  it('is not told of a wait that would exceed the deadline', async () => {
    router.provider.always({ status: 429, headers: { 'retry-after': '120' } })
    expect((await completion(router, 'spare', { watcher })).status).toBe(502)
    expect(told).toEqual([])
  })

  it('is told nothing when the first attempt succeeds', async () => {
    await completion(router, 'main', { watcher })
    expect(told).toEqual([])
  })
})

it('delays of an answer without a watcher are not signalled', async () => {
  const router = await givenRouter()
  try {
    await router.model({ id: 'shaky' })
    const told: unknown[] = []
    router.signal.subscribe('answer-delayed', (delayed) => told.push(delayed))
    router.provider.reply({ status: 500 })
    expect((await completion(router, 'shaky')).text).toBe('You said: Hello')
    expect(told).toEqual([])
  } finally {
    await router.stop()
  }
})
