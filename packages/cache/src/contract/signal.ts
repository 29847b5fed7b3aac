import type { SignalPayload } from '@parley/contracts'
import { expect, test } from 'vitest'
import type { CacheEngine } from '../ports.ts'
import { type CacheHarness, eventually } from './harness.ts'

/** Fan-out to every replica of every service. */
export function signalContract(harness: () => CacheHarness): void {
  test('a signal reaches every subscriber of its name on every replica of every service, the sender included', async () => {
    const engines = [
      await harness().openReplica('auth'),
      await harness().openReplica('auth'),
      await harness().openReplica('chat'),
    ]
    const got: string[] = []
    const other: unknown[] = []
    for (const [index, { signal }] of engines.entries()) {
      signal.subscribe('principal-changed', ({ userId }) => got.push(`${index}a ${userId}`))
      signal.subscribe('principal-changed', ({ userId }) => got.push(`${index}b ${userId}`))
      signal.subscribe('settings-changed', (payload) => other.push(payload))
    }
    await engines[0]?.signal.publish('principal-changed', { userId: 'u' })
    await expect.poll(() => got.toSorted(), eventually).toEqual(['0a u', '0b u', '1a u', '1b u', '2a u', '2b u'])
    expect(other).toEqual([])
  })

  test('a handler that throws is logged and affects no other handler', async () => {
    const { signal } = await harness().openReplica('auth')
    const got: number[] = []
    signal.subscribe('settings-changed', () => {
      throw new Error('broken handler')
    })
    signal.subscribe('settings-changed', ({ version }) => got.push(version))
    await signal.publish('settings-changed', { version: 1 })
    await signal.publish('settings-changed', { version: 2 })
    await expect.poll(() => got, eventually).toEqual([1, 2])
    expect(harness().loggedFailures()).toBe(2)
  })

  test('a handler cannot change what other handlers receive', async () => {
    const { signal } = await harness().openReplica('auth')
    const got: string[] = []
    signal.subscribe('principal-changed', (payload) => {
      payload.userId = 'changed'
    })
    signal.subscribe('principal-changed', ({ userId }) => got.push(userId))
    await signal.publish('principal-changed', { userId: 'u' })
    await expect.poll(() => got, eventually).toEqual(['u'])
  })

  test('no signal arrives after the end of its subscription or its engine', async () => {
    const [ending, closing, staying] = [
      await harness().openReplica('auth'),
      await harness().openReplica('auth'),
      await harness().openReplica('auth'),
    ]
    const got: string[] = []
    const end = ending.signal.subscribe('models-changed', () => got.push('ended'))
    closing.signal.subscribe('models-changed', () => got.push('closed'))
    staying.signal.subscribe('models-changed', () => got.push('staying'))
    end()
    end()
    await closing.close()
    await staying.signal.publish('models-changed', {})
    await expect.poll(() => got, eventually).toEqual(['staying'])
  })

  test('control signals arrive in the order of publishing, each once, and none is reported as missed', async () => {
    const [sender, receiver] = [await harness().openReplica('auth'), await harness().openReplica('chat')]
    const got: number[] = []
    let missed = 0
    receiver.signal.subscribe('settings-changed', ({ version }) => got.push(version))
    const end = receiver.signal.onMissed(() => {
      missed += 1
    })
    const versions = Array.from({ length: 300 }, (_value, index) => index)
    for (const version of versions) await sender.signal.publish('settings-changed', { version })
    await expect.poll(() => got.length, eventually).toBe(versions.length)
    expect(got).toEqual(versions)
    expect(missed).toBe(0)
    end()
    end()
  })

  test('publishing a malformed payload is refused', async () => {
    const { signal } = await harness().openReplica('auth')
    await expect(signal.publish('principal-changed', { userId: 7 } as never)).rejects.toThrow()
  })

  test('a hint reaches every subscriber of its name on every replica, in order, until the subscription ends', async () => {
    const [sender, receiver] = [await harness().openReplica('chat'), await harness().openReplica('realtime')]
    const own: string[] = []
    sender.signal.subscribe('chat-changed', ({ chatId }) => own.push(chatId))
    const [first, second] = [subscribeChats(receiver), subscribeChats(receiver)]
    await hears(sender, [own, first.got, second.got])
    const chats = Array.from({ length: 300 }, (_value, index) => `chat ${index}`)
    for (const chatId of chats) await sender.signal.publish('chat-changed', changed(chatId))
    for (const got of [own, first.got, second.got]) {
      await expect.poll(() => got.filter((chatId) => chatId !== tried), eventually).toEqual(chats)
    }
    first.end()
    first.end()
    await sender.signal.publish('chat-changed', changed('after'))
    await expect.poll(() => second.got.at(-1), eventually).toBe('after')
    expect(first.got).not.toContain('after')
  })

  test('a ban reaches a replica that was disconnected during it and 10,000 hints', async () => {
    const sender = await harness().openReplica('auth')
    const { engine: receiver, sever, mend } = await harness().openSeverable('gateway')
    const banned: string[] = []
    receiver.signal.subscribe('principal-changed', ({ userId }) => banned.push(userId))
    sever()
    await sender.signal.publish('principal-changed', { userId: 'mallory' })
    for (let round = 0; round < 20; round += 1) {
      const hints = Array.from({ length: 500 }, (_value, index) => `chat ${round}/${index}`)
      await Promise.all(hints.map((chatId) => sender.signal.publish('chat-changed', changed(chatId))))
    }
    mend()
    await expect.poll(() => banned, eventually).toEqual(['mallory'])
  })
}

const changed = (chatId: string): SignalPayload<'chat-changed'> => ({ userId: 'ann', chatId, kind: 'message' })

/** The chat of hints that only check whether a replica receives. */
const tried = 'tried'

function subscribeChats({ signal }: CacheEngine): { readonly got: string[]; readonly end: () => void } {
  const got: string[] = []
  const end = signal.subscribe('chat-changed', ({ chatId }) => got.push(chatId))
  return { got, end }
}

/** Subscribing to hints may take a moment, and earlier hints are lost. */
async function hears({ signal }: CacheEngine, receivers: readonly (readonly string[])[]): Promise<void> {
  const tryOnce = async (): Promise<boolean> => {
    await signal.publish('chat-changed', changed(tried))
    return receivers.every((got) => got.length > 0)
  }
  await expect.poll(tryOnce, eventually).toBe(true)
}
