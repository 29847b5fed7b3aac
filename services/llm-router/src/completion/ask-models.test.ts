import type { Model } from '@parley/contracts'
import { AppError } from '@parley/kit'
import { testLog } from '@parley/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type AskModelsDeps, askModels } from './ask-models.ts'
import { ProviderFailure, timedOut } from './failure.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => {
  vi.useRealTimers()
  note.mockReset()
})

const note = vi.fn()
const deps = {
  targetOf: () => ({}),
  timeouts: { retryDelays: [] },
  budget: { earn: () => undefined, spend: () => false },
  breaker: { refuses: () => false, admits: () => true, note },
  observe: () => undefined,
  log: testLog,
} as unknown as AskModelsDeps
async function* candidates() {
  for (const id of ['main', 'spare', 'last']) yield { model: { id, provider: 'xai' } as Model, isLast: id === 'last' }
}

it('a model gets two thirds of the time that is left, and the last fallback all of it', async () => {
  const startedAt = performance.now()
  const deadlines: [string, number][] = []
  const asked = askModels(
    deps,
    candidates(),
    { withinMs: 9_000, signal: new AbortController().signal },
    async ({ id }) =>
      () =>
      async (deadline) => {
        deadlines.push([id, Math.round(deadline - startedAt)])
        // The first one takes all of its time, the second one does not.
        vi.advanceTimersByTime(id === 'main' ? 6_000 : 1_000)
        throw timedOut('first token')
      },
  )
  await expect(asked).rejects.toMatchObject({ code: 'provider_timeout' })
  expect(deadlines).toEqual([
    ['main', 6_000],
    ['spare', 8_000],
    ['last', 9_000],
  ])
})

it('a call that its caller left says nothing of the model’s health, and no other model is asked', async () => {
  const left = new AbortController()
  const ask = vi.fn(async () => {
    left.abort(timedOut('total'))
    throw timedOut('first token')
  })
  const asked = askModels(deps, candidates(), { withinMs: 9_000, signal: left.signal }, async () => () => ask)
  await expect(asked).rejects.toMatchObject({ code: 'provider_timeout' })
  expect([ask.mock.calls.length, note.mock.calls]).toEqual([1, []])
})

const inTime = () => ({ withinMs: 9_000, signal: new AbortController().signal })
const refusal = new AppError('validation_failed', 'An image couldn’t be fetched')
const answered = async () => 'answer'
const failed = async (): Promise<string> => {
  throw new ProviderFailure('provider_error', 'status 503', { retryable: true })
}

it('a call is prepared once for all its retries, and the time for that is not the model’s', async () => {
  const prepared: string[] = []
  const leftMs: number[] = []
  const retrying = { ...deps, timeouts: { retryDelays: [0] }, budget: { ...deps.budget, spend: () => true } }
  const asked = askModels(retrying as unknown as AskModelsDeps, candidates(), inTime(), async ({ id }) => {
    prepared.push(id)
    // Longer than there is for all models together.
    vi.advanceTimersByTime(20_000)
    return () => async (deadline) => {
      leftMs.push(Math.round(deadline - performance.now()))
      return id === 'main' ? failed() : answered()
    }
  })
  expect(await asked).toMatchObject({ model: { id: 'spare' }, answer: 'answer' })
  expect(prepared).toEqual(['main', 'spare'])
  expect(leftMs).toEqual([6_000, 6_000, 6_000])
})

it('a model whose call cannot be prepared is not called, and nothing is said of its health', async () => {
  const asked = askModels(deps, candidates(), inTime(), async ({ id }) => {
    if (id === 'main') throw refusal
    return () => answered
  })
  expect(await asked).toMatchObject({ model: { id: 'spare' } })
  expect(note.mock.calls).toEqual([['spare', true]])
})

/** Fails where the request of a model is prepared or built. */
const faulty = (stage: 'prepared' | 'built') => async (): Promise<() => never> => {
  const fail = (): never => {
    throw new TypeError('a fault of ours')
  }
  return stage === 'prepared' ? fail() : fail
}

it.each(['prepared', 'built'] as const)(
  'a model whose request cannot be %s by a fault of ours is not called, and nothing is said of its health',
  async (stage) => {
    const admits = vi.fn(() => true)
    const watched = { ...deps, breaker: { ...deps.breaker, admits } }
    const prepare = faulty(stage)
    const asked = askModels(watched, candidates(), inTime(), async ({ id }) =>
      id === 'main' ? prepare() : () => answered,
    )
    expect(await asked).toMatchObject({ model: { id: 'spare' } })
    expect([admits.mock.calls, note.mock.calls]).toEqual([[['spare']], [['spare', true]]])
    await expect(askModels(deps, candidates(), inTime(), prepare)).rejects.toMatchObject({ code: 'internal_error' })
    expect(note.mock.calls).toHaveLength(1)
  },
)

it('a model whose time is over before its call is not called, and nothing is said of its health', async () => {
  const called: string[] = []
  const asked = askModels(deps, candidates(), inTime(), async ({ id }) => () => async () => {
    called.push(id)
    vi.advanceTimersByTime(9_000)
    return failed()
  })
  await expect(asked).rejects.toMatchObject({ reason: 'status 503' })
  expect(called).toEqual(['main'])
  expect(note.mock.calls).toEqual([['main', false]])
})

it.each([
  [
    'the failure of the first model, even if a fallback’s call could not be prepared',
    'spare',
    { reason: 'status 503' },
  ],
  ['the refusal of the first model’s call, even if a fallback failed', 'main', { code: 'validation_failed' }],
])('models that do not answer are reported by %s', async (_what, refused, expected) => {
  const asked = askModels(deps, candidates(), inTime(), async ({ id }) => {
    if (id === refused) throw refusal
    return () => failed
  })
  await expect(asked).rejects.toMatchObject(expected)
})
