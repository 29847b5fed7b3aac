import { createLogger } from '@parley/kit'
import { expect, it } from 'vitest'
import { createAnswerWaiters } from './answer-waiters.ts'

it('a call waits no longer once its caller has left, or its answer has changed', async () => {
  const waiters = createAnswerWaiters({ publish: async () => undefined }, createLogger('test', 'silent'))
  const leaving = new AbortController()
  const of = (id: string) => waiters.listen('ann', id, leaving.signal)
  const [changed, another] = [of('a1'), of('a2')]
  await waiters.notify('ann', 'a1')
  expect(await changed.next(3_600_000)).toBeUndefined()
  leaving.abort()
  expect(await another.next(3_600_000)).toBeUndefined()
  for (const waiter of [changed, another]) waiter.end()
})
