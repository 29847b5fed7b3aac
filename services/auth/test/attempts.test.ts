import { afterAll, beforeAll, expect, it } from 'vitest'
import { startAuthAlone } from './running-auth.ts'
import { waiting } from './waiting.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  auth = await startAuthAlone()
})
afterAll(() => auth.stop())

const budget = (key: string) => ({ key, attempts: 100, windowSeconds: 3600 })
const usedOf = async (keys: readonly string[]): Promise<Record<string, number>> => {
  const rows = await auth.sql<{ key: string; used: number }>(
    'select key, used from sign_in_tries where key = any($1)',
    [keys],
  )
  return Object.fromEntries(rows.map(({ key, used }) => [key, used]))
}

it('attempts are returned in the order in which they are taken, although they are stored in another', async () => {
  const [narrow, wide] = [budget('narrow:1'), budget('wide:1')]
  await auth.stores.attempts.take([wide])
  await auth.stores.attempts.take([narrow, wide])
  const release = await auth.hold(`select 1 from sign_in_tries where key = 'narrow:1' for update`)
  const givingBack = auth.stores.attempts.giveBack([narrow, wide])
  await expect.poll(() => waiting(auth)).toBe(1)
  const held = `select key from sign_in_tries where key = 'wide:1' for update skip locked`
  expect(await auth.sql(held)).toHaveLength(1)
  await release()
  await givingBack
  expect(await usedOf(['narrow:1', 'wide:1'])).toEqual({ 'narrow:1': 0, 'wide:1': 1 })
})

it('concurrent takers and returners of attempts never deadlock', async () => {
  const budgets = ['account-network:u:n', 'account:u', 'network:n'].map((key) => ({
    ...budget(key),
    attempts: 100_000,
  }))
  const one = async () => {
    for (let n = 0; n < 30; n += 1) {
      await auth.stores.attempts.take(budgets)
      await auth.stores.attempts.giveBack(budgets)
    }
  }
  await Promise.all(Array.from({ length: 8 }, one))
  expect(Object.values(await usedOf(budgets.map(({ key }) => key)))).toEqual([0, 0, 0])
})

it('a budget of attempts starts over when its window ends, which further attempts do not postpone', async () => {
  const one = { ...budget('short:1'), attempts: 2 }
  const take = async () => (await auth.stores.attempts.take([one])).kind
  await take()
  await auth.sql(`update sign_in_tries set resets_at = now() + interval '1 minute' where key = 'short:1'`)
  expect([await take(), await take()]).toEqual(['taken', 'exhausted'])
  const left = await auth.sql<{ soon: boolean }>(
    `select resets_at < now() + interval '2 minutes' as soon from sign_in_tries where key = 'short:1'`,
  )
  expect(left).toEqual([{ soon: true }])
  await auth.sql(`update sign_in_tries set resets_at = now() where key = 'short:1'`)
  expect([await take(), await take(), await take()]).toEqual(['taken', 'taken', 'exhausted'])
})

it('the sweep skips a locked budget of attempts', async () => {
  await auth.stores.attempts.take([budget('held:1'), budget('over:1')])
  await auth.sql(`update sign_in_tries set resets_at = now() where key in ('held:1', 'over:1')`)
  const release = await auth.hold(`select 1 from sign_in_tries where key = 'held:1' for update`)
  await auth.stores.sweeps.sweep()
  await release()
  expect(await usedOf(['held:1', 'over:1'])).toEqual({ 'held:1': 1 })
})
