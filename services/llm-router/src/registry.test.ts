import type { Model } from '@parley/contracts'
import { fixedClock } from '@parley/testing'
import { expect, it } from 'vitest'
import { createRegistry } from './registry.ts'

/** A store whose responses the test resolves one by one. */
function slowStore() {
  const answers: ((models: Model[]) => void)[] = []
  return { answers, list: () => new Promise<Model[]>((resolve) => answers.push(resolve)) }
}
const named = (id: string) => [{ id } as Model]

it('the registry discards a response that was in flight when models changed', async () => {
  const store = slowStore()
  const registry = createRegistry(store, fixedClock().now)
  const early = registry.models()
  registry.drop()
  const late = registry.models()
  store.answers[1]?.(named('new'))
  expect(await late).toEqual(named('new'))
  store.answers[0]?.(named('old'))
  await early
  expect(await registry.models()).toEqual(named('new'))
  expect(store.answers).toHaveLength(2)
})

it('the registry reads again after ten seconds, once for concurrent callers', async () => {
  const store = slowStore()
  const clock = fixedClock()
  const registry = createRegistry(store, clock.now)
  const both = [registry.models(), registry.models()]
  store.answers[0]?.(named('a'))
  await Promise.all(both)
  clock.advance(9_999)
  await registry.models()
  expect(store.answers).toHaveLength(1)
  clock.advance(1)
  void registry.models()
  expect(store.answers).toHaveLength(2)
})
