import type { Counter, TakeResult } from '@parley/cache'
import type { PasswordHasher } from '@parley/kit'
import { expect, it } from 'vitest'
import { createPasswordGuard } from './password-guard.ts'

/** The headers of the refusal for a visitor with these allowances of the network and of the one around it. */
async function refusal(...results: readonly [allowed: boolean, limit: number, resetMs: number][]) {
  const taken: TakeResult = {
    allowed: false,
    results: results.map(([allowed, limit, resetMs]) => ({ allowed, limit, remaining: 0, resetMs })),
  }
  const counter = { consumeAll: async () => taken } as unknown as Counter
  const hasher = {
    async check(_hash: string, _password: string, { before }: { before: () => Promise<void> }) {
      await before()
    },
  } as unknown as PasswordHasher
  const link = { shareId: 's', passwordHash: 'hash' }
  return await createPasswordGuard(hasher, counter)
    .check(link, 'x', '6:2001:db8:0:1')
    .catch(({ headers }) => headers)
}

it('a visitor whose network and surrounding network are both throttled is told the later reset, and no other network’s', async () => {
  const later = { 'retry-after': '50', 'ratelimit-limit': '80' }
  expect(await refusal([false, 10, 20_000], [false, 80, 50_000])).toMatchObject(later)
  expect(await refusal([false, 80, 50_000], [false, 10, 20_000])).toMatchObject(later)
  expect(await refusal([false, 80, 50_000], [true, 10, 60_000])).toMatchObject(later)
})
