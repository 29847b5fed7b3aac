import { expect, it, onTestFinished } from 'vitest'
import { openBillingEngine } from './engine.ts'

it('the check of a day and its alarms are recorded by the first of two replicas', async () => {
  const engine = await openBillingEngine()
  onTestFinished(() => engine.close())
  const found = [{ kind: 'ledger', expected: 2, found: 1 }] as const
  const recorded = await Promise.all(
    [engine.stores, engine.replica].map(({ money }) => money.keepCheck('2030-01-01', found)),
  )
  expect(recorded.toSorted()).toEqual([false, true])
  const day = { from: '2030-01-01', to: '2030-01-01' }
  expect(await engine.stores.money.alarms(day)).toMatchObject([{ date: day.from, ...found[0] }])
})
