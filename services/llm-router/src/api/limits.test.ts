import type { CountResult } from '@parley/cache'
import { defaultSettings, type Model, tierMultipliers } from '@parley/contracts'
import { keyPrincipal } from '@parley/testing'
import { expect, it, vi } from 'vitest'
import { type LimitDeps, type LimitHeaders, takeContinuation, takeLimits } from './limits.ts'

const model = { id: 'gpt', contextLength: 1_000, requestsPerMinute: 5, tokensPerMinute: 0 } as Model

/** What a key is told and counted as when its own limit and the model's are left like this. */
async function given(key = keyPrincipal(), results: Partial<CountResult>[] = [{ remaining: 9 }, { remaining: 4 }]) {
  const counted: unknown[] = []
  const told: LimitHeaders[] = []
  const full = results.map((result) => ({ allowed: true, limit: 10, remaining: 0, resetMs: 1_000, ...result }))
  const deps = {
    counter: { consumeAll: async () => ({ allowed: full.every(({ allowed }) => allowed), results: full }) },
    settings: { current: async () => defaultSettings, lastKnown: () => defaultSettings },
    counts: { note: (subject: unknown) => void counted.push(subject) },
  } as unknown as LimitDeps
  const taking = takeLimits(deps, key, { model, tokens: 1 }, (headers) => void told.push(headers))
  const failure = await taking.then(
    () => undefined,
    (error: unknown) => error,
  )
  return { counted, told: told[0], failure }
}

it('a request is counted for its key by the multiple of its tier, unless the key has limits of its own', async () => {
  const key = keyPrincipal({ tier: 3 })
  expect((await given(key)).counted).toMatchObject([{ subject: `key:${key.keyId}`, times: tierMultipliers[3] }])
  const own = keyPrincipal({ tier: 5, customLimits: { requests: 100, windowMinutes: 1 } })
  expect((await given(own)).counted).toEqual([])
})

it('a program is told the limit that refuses, else the one with less left', async () => {
  expect((await given()).told).toMatchObject({ 'x-ratelimit-remaining-requests': '4', 'ratelimit-remaining': '4' })
  const { told, failure } = await given(keyPrincipal(), [{ resetMs: 60_000 }, { allowed: false, resetMs: 7_000 }])
  expect(told).toMatchObject({ 'x-ratelimit-reset-requests': '7s', 'ratelimit-limit': '10', 'ratelimit-reset': '7' })
  expect(failure).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '7' } })
})

/** What happens to a continuation when the key's window and that of continuations are left like this. */
async function continued(ofKey: Partial<CountResult>, ofContinuations: Partial<CountResult>) {
  const notes: unknown[] = []
  const told: LimitHeaders[] = []
  const full = [ofKey, ofContinuations].map((result) => ({
    ...{ allowed: true, limit: 10, remaining: 5, resetMs: 1_000, ...result },
  }))
  const deps = {
    counter: { consumeAll: async () => ({ allowed: full.every(({ allowed }) => allowed), results: full }) },
    settings: { current: async () => defaultSettings, lastKnown: () => defaultSettings },
    counts: { note: (subject: unknown) => void notes.push(subject) },
  } as unknown as LimitDeps
  const failure = await takeContinuation(deps, keyPrincipal(), model, (headers) => void told.push(headers)).then(
    () => undefined,
    (error: unknown) => error,
  )
  return { notes: notes.length, told, failure }
}

it('a continuation is left to the limits of its request, which count it, unless it is refused', async () => {
  // The last continuation of its window.
  expect(await continued({}, { remaining: 0 })).toEqual({ notes: 0, told: [], failure: undefined })
})

it.each<[what: string, ofKey: Partial<CountResult>, ofContinuations: Partial<CountResult>]>([
  ['no request', { remaining: 0, resetMs: 7_000 }, {}],
  ['no continuation', {}, { allowed: false, remaining: 0, resetMs: 7_000 }],
])('a continuation is refused and counted when %s is left', async (_what, ofKey, ofContinuations) => {
  const { notes, told, failure } = await continued(ofKey, ofContinuations)
  expect([notes, told.length]).toEqual([1, 1])
  expect(told[0]).toMatchObject({ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '7s' })
  expect(failure).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '7' } })
})

it('reserved tokens are adjusted to the used ones within their minute, and not after it', async () => {
  const adjusted: number[] = []
  const reserved: (number | undefined)[] = []
  const left = () => ({ allowed: true, limit: 100, remaining: 50, resetMs: 10_000 })
  const deps = {
    counter: {
      async consumeAll(takes: readonly { readonly cost: number }[]) {
        reserved.push(takes.at(-1)?.cost)
        return { allowed: true, results: [left(), left(), left()] }
      },
      adjust: async (_key: string, _limit: unknown, by: number) => void adjusted.push(by),
    },
    settings: { current: async () => defaultSettings, lastKnown: () => defaultSettings },
    counts: { note: () => undefined },
  } as unknown as LimitDeps
  const limited = { ...model, tokensPerMinute: 100 }
  const take = (tokens = 40) => takeLimits(deps, keyPrincipal(), { model: limited, tokens }, () => undefined)
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  // A request larger than a minute's tokens takes all of them.
  const [soon, late, large] = [await take(), await take(), await take(1_000)]
  now.mockReturnValue(9_999)
  await soon.settle(25)
  await large.settle(150)
  now.mockReturnValue(10_000)
  await late.settle(25)
  now.mockRestore()
  expect(reserved).toEqual([40, 40, 100])
  expect(adjusted).toEqual([-15, 50])
})
