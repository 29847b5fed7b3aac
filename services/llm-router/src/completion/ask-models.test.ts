import type { Model } from '@parley/contracts'
import { testLog } from '@parley/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type AskModelsDeps, askModels } from './ask-models.ts'
import { timedOut } from './failure.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const note = vi.fn()
const deps = {
  targetOf: () => ({}),
  timeouts: { retryDelays: [] },
  budget: { earn: () => undefined, spend: () => false },
  breaker: { admits: () => true, note },
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
    async ({ id }, _target, deadline) => {
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
  note.mockClear()
  const left = new AbortController()
  const ask = vi.fn(async () => {
    left.abort(timedOut('total'))
    throw timedOut('first token')
  })
  const asked = askModels(deps, candidates(), { withinMs: 9_000, signal: left.signal }, ask)
  await expect(asked).rejects.toMatchObject({ code: 'provider_timeout' })
  expect([ask.mock.calls.length, note.mock.calls]).toEqual([1, []])
})
