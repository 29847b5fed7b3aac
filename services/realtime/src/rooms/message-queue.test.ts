import { AppError, type Logger, unavailable } from '@parley/kit'
import { expect, it } from 'vitest'
import type { ChatReader } from './chat-reader.ts'
import { createMessageQueue } from './message-queue.ts'

/** A queue whose reads fail so, one after the other, before they succeed; the messages that it acted on, and its lines in the log. */
function given(...failures: readonly Error[]) {
  const left = [...failures]
  const acted: string[] = []
  const lines: unknown[] = []
  const note = (_fields: unknown, text: string) => void lines.push(text)
  const message = async (_chat: unknown, id: string) => {
    const failure = left.shift()
    if (failure !== undefined) throw failure
    return { id }
  }
  const deps = {
    chats: { message } as unknown as ChatReader,
    log: { info: note, warn: note, error: note } as unknown as Logger,
  }
  const queue = createMessageQueue(deps, { userId: 'ann', chatId: 'c1' }, new AbortController().signal)
  const take = (id: string, afterMs = 0) => queue.take(id, (read) => void acted.push(read.id), afterMs)
  return { take, acted, lines }
}

it.each([
  ['whose form is not known', new TypeError('an unknown form')],
  ['that chat refuses to read', new AppError('validation_failed', 'Malformed id')],
])('a message %s is skipped with one line in the log', async (_what, failure) => {
  const { take, acted, lines } = given(failure)
  for (const id of ['m1', 'm2']) take(id)
  await expect.poll(() => acted).toEqual(['m2'])
  expect(lines).toHaveLength(1)
})

it('a message is read again while chat is unavailable', async () => {
  const { take, acted } = given(unavailable())
  for (const id of ['m1', 'm2']) take(id)
  await expect.poll(() => acted).toEqual(['m1', 'm2'])
})

it('messages that are read after a pause each wait for their own, not for those of others, and keep their order', async () => {
  const { take, acted } = given()
  // One after the other they would last for minutes.
  const ids = Array.from({ length: 1_000 }, (_none, nth) => `m${nth}`)
  for (const id of ids) take(id, 250)
  await expect.poll(() => acted, { timeout: 60_000 }).toEqual(ids)
})
