import type { Credits } from '@parley/contracts'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { untilPasses } from '../../testing/until-passes.ts'
import { deferCredits, takeRemaining } from './credits.ts'
import { creditsQuery } from './queries.ts'

const credits = (remaining: number, held = 0): Credits => ({
  plan: { id: 'free', name: 'Free', description: '', monthlyCredits: 100 },
  remaining,
  held,
  used: 0,
  resetDate: '2030-01-01T00:00:00Z',
  unlimited: false,
})

/** A page that shows credits; `asked` counts its requests. */
function given(known: Credits | undefined) {
  const client = new QueryClient()
  if (known) client.setQueryData(creditsQuery.queryKey, known)
  const ask = vi.fn(async () => credits(50))
  const observer = new QueryObserver(client, { ...creditsQuery, queryFn: ask, staleTime: Number.POSITIVE_INFINITY })
  ends.push(observer.subscribe(() => undefined))
  return { client, ask, shown: () => client.getQueryData(creditsQuery.queryKey) }
}
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

it('a known number of credits causes no request', () => {
  const { client, ask } = given(credits(99))
  takeRemaining(client, 99)
  expect(ask).not.toHaveBeenCalled()
})

it('a changed number of credits is shown immediately, and the details are requested once', async () => {
  const { client, ask, shown } = given(credits(100))
  takeRemaining(client, 150)
  takeRemaining(client, 149)
  expect(shown()).toMatchObject({ remaining: 149 })
  await untilPasses(() => expect(shown()).toEqual(credits(50)))
  expect(ask).toHaveBeenCalledTimes(1)
})

it('while this tab generates an answer, the credits held for it are shown without a request', () => {
  const { client, ask, shown } = given(credits(100))
  ends.push(deferCredits(() => true))
  takeRemaining(client, 97)
  expect(shown()).toMatchObject({ remaining: 97, held: 3 })
  takeRemaining(client, 100)
  expect(shown()).toMatchObject({ remaining: 100, held: 0 })
  expect(ask).not.toHaveBeenCalled()
})
