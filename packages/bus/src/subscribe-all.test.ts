import { expect, it } from 'vitest'
import type { Subscription } from './event-bus.ts'
import { subscribeAll } from './subscribe-all.ts'

/** A bus that refuses these groups; `open` are the groups that consume. */
function busRefusing(...refused: readonly string[]) {
  const open: string[] = []
  return {
    open,
    async subscribe({ group }: Subscription) {
      if (refused.includes(group)) throw new Error('The engine is unavailable')
      open.push(group)
      return async () => void open.splice(open.indexOf(group), 1)
    },
  }
}

const subscriptions = ['one', 'two', 'three'].map((group): Subscription => ({ group, handlers: {} }))

it('a failed subscription ends those begun with it, so that the next attempt consumes each event once', async () => {
  const failing = busRefusing('three')
  await expect(subscribeAll(failing, subscriptions)).rejects.toThrow('The engine is unavailable')
  expect(failing.open).toEqual([])
  const bus = busRefusing()
  const end = await subscribeAll(bus, subscriptions)
  expect(bus.open).toEqual(['one', 'two', 'three'])
  await end()
  await end()
  expect(bus.open).toEqual([])
})
