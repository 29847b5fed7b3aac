import { expect, it } from 'vitest'
import { untilPasses } from '../../testing/until-passes.ts'
import { notifyTabs, subscribeToTabs } from './tabs.ts'

it('messages between tabs reach listeners until they unsubscribe, and unknown ones are ignored', async () => {
  const heard: unknown[] = []
  const stop = subscribeToTabs((change) => heard.push(change))
  const stranger = new BroadcastChannel('parley:chats')
  stranger.postMessage('something else')
  notifyTabs({ userId: 'u1', chatId: 'c1' })
  await untilPasses(() => expect(heard).toEqual([{ userId: 'u1', chatId: 'c1' }]))
  stop()
  const witness: unknown[] = []
  const stopWitness = subscribeToTabs((change) => witness.push(change))
  notifyTabs({ userId: 'u1', chatId: null })
  await untilPasses(() => expect(witness).toHaveLength(1))
  expect(heard).toHaveLength(1)
  stopWitness()
  stranger.close()
})
