import { expect, it, vi } from 'vitest'
import { hearTabs, tellTabs } from './tabs.ts'

it('reaches other listeners until they stop, and passes on nothing that it does not know', async () => {
  const heard: unknown[] = []
  const stop = hearTabs((news) => heard.push(news))
  const stranger = new BroadcastChannel('parley:chats')
  stranger.postMessage('something else')
  tellTabs({ userId: 'u1', chatId: 'c1' })
  await vi.waitFor(() => expect(heard).toEqual([{ userId: 'u1', chatId: 'c1' }]))
  stop()
  const witness: unknown[] = []
  const stopWitness = hearTabs((news) => witness.push(news))
  tellTabs({ userId: 'u1', chatId: null })
  await vi.waitFor(() => expect(witness).toHaveLength(1))
  expect(heard).toHaveLength(1)
  stopWitness()
  stranger.close()
})
