import { waitUntil } from '@parley/testing'
import type { SocketClient } from '@parley/testing/socket-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { entry, type Given, givenRealtime, message } from './given.ts'

/** More than the kernel's socket buffers hold. */
const events = 600
const text = 'x'.repeat(50_000)

let given: Given
let round = 0
beforeAll(async () => {
  given = await givenRealtime({ lookMs: 60_000 })
})
afterAll(() => given.close())

/** The client library's underlying WebSocket. */
const line = ({ socket }: SocketClient) =>
  (socket.io.engine.transport as unknown as { ws: { pause(): void; resume(): void } }).ws

describe('a slow reader', () => {
  let user: string
  let messageId: string
  let slow: SocketClient
  let quick: SocketClient
  beforeEach(async () => {
    round += 1
    user = `reader${round}`
    messageId = `m${round}`
    given.chat(user, 'c1', { messageId, lastEventId: 0, content: '' })
    ;[slow, quick] = [await joined(), await joined()]
  })
  const joined = async (): Promise<SocketClient> => {
    const client = await given.connect(user)
    client.say('join', { chatId: 'c1' })
    await client.until('chat:init')
    return client
  }
  /** Generates an answer while `slow` reads nothing; other readers do not wait for it. */
  const answerWhileItSleeps = async (): Promise<void> => {
    line(slow).pause()
    for (let seq = 1; seq <= events; seq += 1) await given.cache.streamLog.append(messageId, [entry(seq, { text })])
    await quick.until('stream:delta', ({ seq }) => seq === events)
  }
  const endsOfSlow = async (): Promise<number> => {
    const figures = await (await fetch(`${given.url}/metrics`)).text()
    return Number(/realtime_ends_total\{code="slow"[^}]*\} (\d+)/.exec(figures)?.[1] ?? 0)
  }

  it('gets an answer as fast as it reads, complete and in order', async () => {
    await answerWhileItSleeps()
    expect(slow.all('stream:delta').length).toBeLessThan(events)
    line(slow).resume()
    await slow.until('stream:delta', ({ seq }) => seq === events)
    expect(slow.all('stream:delta').map(({ seq }) => seq)).toEqual(
      Array.from({ length: events }, (_none, nth) => nth + 1),
    )
    expect(await endsOfSlow()).toBe(0)
  })

  it('is disconnected when too many bytes are queued, and no other client is', async () => {
    const ended = await endsOfSlow()
    line(slow).pause()
    const before = quick.all('msg:append').length
    given.backend.messages.set('long', message('long', { content: 'x'.repeat(400_000) }))
    for (let count = 1; count <= 120; count += 1) {
      const change = { userId: user, chatId: 'c1', kind: 'message', messageId: 'long' } as const
      await given.cache.signal.publish('chat-changed', change)
      await waitUntil(() => quick.all('msg:append')[before + count - 1], 'the message')
    }
    expect(await endsOfSlow()).toBe(ended + 1)
    expect(quick.socket.connected).toBe(true)
  })

  it('is disconnected when too many other packets are queued, and no other client is', async () => {
    const ended = await endsOfSlow()
    await answerWhileItSleeps()
    // Publish no faster than the quick client reads.
    for (let count = 1; count <= 1_500; count += 1) {
      await given.cache.signal.publish('settings-changed', { version: count })
      if (count % 100 === 0) await waitUntil(() => quick.all('models:update')[count - 1], 'what was told')
    }
    await expect.poll(endsOfSlow).toBe(ended + 1)
    expect(quick.socket.connected).toBe(true)
    line(slow).resume()
    await expect.poll(() => slow.socket.connected).toBe(false)
  })
})
