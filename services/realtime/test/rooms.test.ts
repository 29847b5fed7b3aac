import type { SocketClient } from '@parley/testing/socket-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { entry, followed, type Given, givenRealtime, message, texts } from './given.ts'

let given: Given
beforeEach(async () => {
  given = await givenRealtime()
})
afterEach(() => given.close())

const usage = { inputTokens: 1, outputTokens: 2, estimated: false }
const done = (messageId: string) => ({
  done: true,
  messageId,
  finishReason: 'stop',
  usage,
  credits: { charged: 1, remaining: 2 },
})
const append = (messageId: string, ...entries: ReturnType<typeof entry>[]) =>
  given.cache.streamLog.append(messageId, entries)
const changed = (kind: 'message' | 'generation' | 'updated' | 'deleted', messageId?: string, userId = 'ann') =>
  given.cache.signal.publish('chat-changed', { userId, chatId: 'c1', kind, ...(messageId && { messageId }) })
const join = async (userId = 'ann'): Promise<SocketClient> => {
  const client = await given.connect(userId)
  client.say('join', { chatId: 'c1' })
  await client.until('chat:init')
  return client
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_none, index) => from + index)

describe('a client that joins a chat', () => {
  it("gets the chat's state, then every event after the last known one", async () => {
    given.chat('ann', 'c1', { messageId: 'm1', lastEventId: 3, content: '1 2 3 ' })
    await append('m1', ...texts(1, 6))
    const ann = await join()
    expect(ann.heard.slice(1, 3)).toEqual([
      { event: 'joined', payload: { chatId: 'c1', generating: { messageId: 'm1' } } },
      {
        event: 'chat:init',
        payload: {
          chatId: 'c1',
          lastMessageId: 'm1',
          generating: { messageId: 'm1', lastEventId: 3, content: '1 2 3 ', reasoning: '' },
        },
      },
    ])
    await append('m1', ...texts(7, 9), entry(10, done('m1')), entry(11, '[DONE]'))
    expect(await ann.until('stream:done')).toEqual({ chatId: 'c1', messageId: 'm1', finishReason: 'stop', usage })
    expect(followed(ann, 'm1')).toEqual({ seqs: range(4, 9), text: '4 5 6 7 8 9 ' })
  })

  it('gets event numbers from its own position, although the log is read once for all clients', async () => {
    given.chat('ann', 'c1', { messageId: 'm1', lastEventId: 5, content: '' })
    await append('m1', ...texts(1, 5))
    const first = await join()
    await append('m1', ...texts(6, 10))
    await first.until('stream:delta', ({ seq }) => seq === 10)
    given.chat('ann', 'c1', { messageId: 'm1', lastEventId: 2, content: '' })
    const behind = await join()
    given.chat('ann', 'c1', { messageId: 'm1', lastEventId: 12, content: '' })
    const ahead = await join()
    await append('m1', ...texts(11, 20), entry(21, done('m1')), entry(22, '[DONE]'))
    for (const [client, from] of [
      [first, 6],
      [behind, 3],
      [ahead, 13],
    ] as const) {
      await client.until('stream:done')
      expect(followed(client, 'm1').seqs).toEqual(range(from, 20))
    }
  })

  it('gets messages but no events of answers while it is muted, and the state when it joins again', async () => {
    given.chat('ann', 'c1')
    const [reader, other] = [await join(), await join()]
    const late = await given.connect('ann')
    reader.say('mute', { chatId: 'c1' })
    late.say('join', { chatId: 'c1', muted: true })
    await late.until('chat:init')
    given.backend.messages.set('u1', message('u1', { role: 'user', content: 'Hi' }))
    given.backend.messages.set('m1', message('m1', { status: 'generating', content: '' }))
    await changed('message', 'u1')
    await changed('generation', 'm1')
    await append('m1', ...texts(1, 3))
    await other.until('stream:delta', ({ seq }) => seq === 3)
    for (const muted of [reader, late]) {
      expect(muted.all('msg:append').map((told) => told.message.id)).toEqual(['u1'])
      expect(followed(muted, 'm1').seqs).toEqual([])
    }
    given.chat('ann', 'c1', { messageId: 'm1', lastEventId: 2, content: '1 2 ' })
    reader.say('join', { chatId: 'c1' })
    await append('m1', ...texts(4, 4), entry(5, done('m1')), entry(6, '[DONE]'))
    await reader.until('stream:done')
    expect(followed(reader, 'm1').seqs).toEqual([3, 4])
    expect(followed(late, 'm1').seqs).toEqual([])
  })

  it('stops hearing an answer that has begun when it is muted, and gets its message when that is stored', async () => {
    given.chat('ann', 'c1', { messageId: 'm1', lastEventId: 0, content: '' })
    const [reader, other] = [await join(), await join()]
    await append('m1', ...texts(1, 2))
    await reader.until('stream:delta', ({ seq }) => seq === 2)
    reader.say('mute', { chatId: 'c1' })
    reader.say('leave', { chatId: 'c2' })
    await reader.until('left')
    await append('m1', ...texts(3, 4), entry(5, done('m1')), entry(6, '[DONE]'))
    given.backend.messages.set('m1', message('m1', { content: '1 2 3 4 ' }))
    await changed('message', 'm1')
    await other.until('msg:append')
    expect((await reader.until('msg:append')).message.content).toBe('1 2 3 4 ')
    expect(followed(reader, 'm1').seqs).toEqual([1, 2])
    expect(reader.all('stream:done')).toEqual([])
  })

  it("misses no event that happens while the chat's state is being read", async () => {
    given.chat('ann', 'c1')
    let answerLook = (): void => undefined
    const looked = new Promise<void>((resolve) => {
      given.backend.afterLook = () =>
        new Promise((answered) => {
          answerLook = answered
          resolve()
        })
    })
    const ann = await given.connect('ann')
    ann.say('join', { chatId: 'c1' })
    await looked
    given.backend.messages.set('u1', message('u1', { role: 'user', content: 'Hi' }))
    given.backend.messages.set('m1', message('m1', { status: 'generating', content: 'saved so far' }))
    await changed('message', 'u1')
    await changed('generation', 'm1')
    await append('m1', ...texts(1, 3))
    await expect.poll(() => given.backend.asked.filter((path) => path.includes('/messages/'))).toHaveLength(2)
    expect(ann.all('msg:append')).toEqual([])
    answerLook()
    await ann.until('stream:delta', ({ seq }) => seq === 3)
    expect(ann.heard.map(({ event }) => event).slice(1)).toEqual([
      'joined',
      'chat:init',
      'msg:append',
      'msg:append',
      ...Array(3).fill('stream:delta'),
    ])
    // The content arrives by the events alone.
    expect(ann.all('msg:append').map((told) => told.message.content)).toEqual(['Hi', ''])
  })

  it('gets the start and end of an answer, then the whole message', async () => {
    given.chat('ann', 'c1')
    const ann = await join()
    given.backend.messages.set('m1', message('m1', { status: 'generating' }))
    const looks = () => given.backend.asked.filter((path) => path.includes('/messages/'))
    await changed('generation', 'm1')
    await ann.until('msg:append')
    // A change while it runs is told by its events.
    await changed('message', 'm1')
    await expect.poll(looks).toHaveLength(2)
    await append('m1', entry(1, { chatId: 'c1', messageId: 'm1', userMessageId: 'u1', model: 'v3' }), ...texts(2, 4))
    given.backend.messages.set('m1', message('m1', { content: '2 3 4 ' }))
    // The signal arrives before the end of the log.
    await changed('message', 'm1')
    await expect.poll(looks).toHaveLength(3)
    await append('m1', entry(5, done('m1')), entry(6, '[DONE]'))
    await ann.until('msg:append', ({ message: { status } }) => status === 'complete')
    expect(followed(ann, 'm1').seqs).toEqual([1, 2, 3, 4])
    expect(ann.all('msg:append').map((told) => told.message.status)).toEqual(['generating', 'complete'])
    expect(ann.heard.map(({ event }) => event).slice(-2)).toEqual(['stream:done', 'msg:append'])
  })

  it('gets every event of an answer that ended before its message was read, then the whole message', async () => {
    given.chat('ann', 'c1')
    const ann = await join()
    given.backend.messages.set('m1', message('m1', { content: '2 3 ' }))
    await append('m1', entry(1, { chatId: 'c1', messageId: 'm1', userMessageId: 'u1', model: 'v3' }), ...texts(2, 3))
    await append('m1', entry(4, done('m1')), entry(5, '[DONE]'))
    await changed('generation', 'm1')
    await changed('message', 'm1')
    await ann.until('msg:append', ({ message: { content } }) => content !== '')
    expect(followed(ann, 'm1')).toEqual({ seqs: [1, 2, 3], text: '2 3 ' })
    expect(ann.all('msg:append').map((told) => told.message.status)).toEqual(['generating', 'complete'])
    expect(ann.heard.map(({ event }) => event).slice(-2)).toEqual(['stream:done', 'msg:append'])
  })

  it('gets each event of an answer once, although it is told of it twice', async () => {
    given.chat('ann', 'c1')
    const ann = await join()
    given.backend.messages.set('m1', message('m1', { content: '1 2 ' }))
    await append('m1', ...texts(1, 2), entry(3, done('m1')), entry(4, '[DONE]'))
    await changed('generation', 'm1')
    await ann.until('stream:done')
    await changed('generation', 'm1')
    await changed('message', 'm1')
    await ann.until('msg:append', ({ message: { status } }) => status === 'complete')
    expect(followed(ann, 'm1').seqs).toEqual([1, 2])
    expect(ann.all('stream:done')).toHaveLength(1)
  })

  it('gets only the message of an answer without a log that ended before its message was read', async () => {
    given.chat('ann', 'c1')
    const ann = await join()
    given.backend.messages.set('m1', message('m1', { content: 'whole', status: 'error' }))
    await changed('generation', 'm1')
    await ann.until('msg:append')
    expect(ann.all('msg:append').map((told) => told.message)).toEqual([given.backend.messages.get('m1')])
  })

  it('gets the end of an answer that failed before it began at once, then its message, each once', async () => {
    given.chat('ann', 'c1')
    const ann = await join()
    given.backend.messages.set('m1', message('m1', { status: 'generating' }))
    // As far as looking goes, it is still being generated.
    given.chat('ann', 'c1', { messageId: 'm1', lastEventId: 0, content: '' })
    await changed('generation', 'm1')
    await ann.until('msg:append')
    given.backend.messages.set('m1', message('m1', { status: 'error' }))
    await changed('message', 'm1')
    await ann.until('msg:append', ({ message: { status } }) => status === 'error')
    expect(ann.all('stream:done')).toEqual([{ chatId: 'c1', messageId: 'm1', finishReason: 'error', usage: null }])
    given.backend.messages.set('m2', message('m2'))
    await changed('message', 'm2')
    await ann.until('msg:append', ({ message: { id } }) => id === 'm2')
    expect(ann.all('msg:append').map((told) => told.message.status)).toEqual(['generating', 'error', 'complete'])
  })

  it('gets a continued answer from its next log, under the same message', async () => {
    given.chat('ann', 'c1', { messageId: 'm1', lastEventId: 0, content: '' })
    const ann = await join()
    await append('m1', ...texts(1, 3), entry(4, done('m1')), entry(5, '[DONE]'))
    await ann.until('stream:done')
    given.backend.messages.set('m1', message('m1', { status: 'generating', content: '1 2 3 ', generationId: 'g2' }))
    const change = { userId: 'ann', chatId: 'c1', kind: 'generation', messageId: 'm1', generationId: 'g2' } as const
    await given.cache.signal.publish('chat-changed', change)
    expect((await ann.until('msg:append')).message).toMatchObject({ id: 'm1', content: '', generationId: 'g2' })
    await append('g2', entry(1, { text: '1 2 3 ' }), entry(2, { text: '4' }), entry(3, done('m1')), entry(4, '[DONE]'))
    await ann.until('stream:delta', ({ seq, text }) => seq === 2 && text === '4')
    await expect.poll(() => ann.all('stream:done')).toHaveLength(2)
    given.chat('ann', 'c1', { messageId: 'm1', generationId: 'g2', lastEventId: 1, content: '1 2 3 ' })
    const late = await join()
    await late.until('stream:done')
    expect(followed(late, 'm1')).toEqual({ seqs: [2], text: '4' })
  })

  it('gets the stored message when the log is lost for good', async () => {
    given.chat('ann', 'c1', { messageId: 'm1', lastEventId: 0, content: '' })
    const ann = await join()
    given.backend.messages.set('m1', message('m1', { content: 'whole', status: 'interrupted' }))
    given.chat('ann', 'c1')
    expect((await ann.until('msg:append')).message).toMatchObject({ id: 'm1', content: 'whole', status: 'interrupted' })
  })

  it('gets each tool call in full, and all pages found so far', async () => {
    given.chat('ann', 'c1', { messageId: 'm1', lastEventId: 1, content: '' })
    const call = { toolName: 'quote', toolCallId: 't1' }
    const page = (name: string) => ({ web_search_url: `http://${name}.test/`, title: name, domain: `${name}.test` })
    await append(
      'm1',
      entry(1, { tool_call_start: { ...call, parameters: { symbol: 'AAPL' } } }),
      entry(2, { tool_call_result: { ...call, result: { price: 1 }, resultNormalized: 'one' } }),
      entry(3, page('a')),
      entry(4, page('b')),
      entry(5, { url_content_processing: true }),
      entry(6, { error: 'It broke', code: 'provider_error' }),
      entry(7, '[DONE]'),
    )
    const ann = await join()
    expect(await ann.until('stream:done')).toMatchObject({ finishReason: 'error', usage: null })
    expect(ann.all('stream:tool')).toMatchObject([
      { seq: 2, toolCall: { ...call, parameters: { symbol: 'AAPL' }, status: 'completed', resultNormalized: 'one' } },
    ])
    expect(ann.all('stream:websearch').map(({ seq, results }) => [seq, results.map(({ title }) => title)])).toEqual([
      [3, ['a']],
      [4, ['a', 'b']],
    ])
    expect(ann.all('stream:delta')).toEqual([{ chatId: 'c1', messageId: 'm1', seq: 5 }])
  })

  it('gets no event after leaving', async () => {
    given.chat('ann', 'c1')
    const [ann, other] = [await join(), await join()]
    ann.say('leave', { chatId: 'c1' })
    await ann.until('left')
    given.backend.messages.set('u1', message('u1'))
    await changed('message', 'u1')
    await other.until('msg:append')
    expect(ann.all('msg:append')).toEqual([])
  })
})

describe("another user's chat", () => {
  it.each<[string, unknown, string]>([
    ['its id', 'c1', 'not_found'],
    ['an id that does not exist', 'c404', 'not_found'],
    ['an array', ['c1'], 'validation_failed'],
    ['an object', { $ne: null }, 'validation_failed'],
    ['a wildcard', '*', 'validation_failed'],
    ['the prefix of a room', 'user:ann', 'validation_failed'],
    ['the key of a room', 'ann:c1', 'validation_failed'],
    ['a path', '../c1', 'validation_failed'],
    ['1000 ids', Array(1_000).fill('c1'), 'validation_failed'],
    ['nothing', undefined, 'validation_failed'],
  ])('cannot be joined by %s, and none of its events is received', async (_name, chatId, code) => {
    given.chat('ann', 'c1', { messageId: 'm1', lastEventId: 0, content: '' })
    const [ann, eve] = [await join(), await given.connect('eve')]
    eve.say('join', { chatId })
    expect(await eve.until('chat:error')).toMatchObject({ code })
    const before = eve.heard.length
    given.backend.messages.set('u1', message('u1'))
    await append('m1', ...texts(1, 3), entry(4, done('m1')), entry(5, '[DONE]'))
    for (const kind of ['updated', 'message', 'generation', 'deleted'] as const) await changed(kind, 'u1')
    await ann.until('chat:delete')
    eve.say('leave', { chatId: 'x' })
    await eve.until('left')
    expect(eve.heard.slice(before).map(({ event }) => event)).toEqual(['left'])
  })

  it('is refused like a chat that does not exist', async () => {
    given.chat('ann', 'c1')
    const eve = await given.connect('eve')
    for (const chatId of ['c1', 'c2']) eve.say('join', { chatId })
    await expect.poll(() => eve.all('chat:error')).toHaveLength(2)
    const [foreign, missing] = eve.all('chat:error')
    expect({ ...foreign, chatId: '' }).toEqual({ ...missing, chatId: '' })
  })
})

describe('every connection of a user', () => {
  it('gets updates and deletions of chats, joined or not', async () => {
    const ann = await given.connect('ann')
    const updatedAt = '2030-01-01T00:00:00.000Z'
    const change = { userId: 'ann', chatId: 'c1', kind: 'updated', title: 'New', updatedAt, messageId: 'm2' } as const
    await given.cache.signal.publish('chat-changed', change)
    expect(await ann.until('chat:update')).toEqual({ chatId: 'c1', title: 'New', updatedAt, lastMessageId: 'm2' })
    await changed('deleted')
    expect(await ann.until('chat:delete')).toEqual({ chatId: 'c1' })
  })

  it('gets several changed chats one by one, and more than 500 deleted ones in one event', async () => {
    const ann = await given.connect('ann')
    given.chat('ann', 'c1')
    ann.say('join', { chatId: 'c1' })
    await ann.until('chat:init')
    const { signal } = given.cache
    const updatedAt = '2030-01-01T00:00:00.000Z'
    const two = [
      { chatId: 'c2', title: 'Two', updatedAt },
      { chatId: 'c3', title: 'Three', updatedAt },
    ]
    await signal.publish('chats-changed', { userId: 'ann', kind: 'updated', chats: two })
    await expect.poll(() => ann.all('chat:update')).toEqual(two)
    const few = Array.from({ length: 500 }, (_none, nth) => ({ chatId: `few ${nth}` }))
    await signal.publish('chats-changed', { userId: 'ann', kind: 'deleted', chats: few })
    await expect.poll(() => ann.all('chat:delete')).toEqual(few)
    const many = ['c1', ...Array.from({ length: 1_500 }, (_none, nth) => `many ${nth}`)]
    await signal.publish('chats-changed', { userId: 'ann', kind: 'deleted', chats: many.map((chatId) => ({ chatId })) })
    expect(await ann.until('chats:delete')).toEqual({ chatIds: many })
    expect(ann.all('chat:delete')).toHaveLength(500)
    // The room of a deleted chat is closed: none of its events arrive.
    given.backend.messages.set('u1', message('u1'))
    await changed('message', 'u1')
    await changed('updated')
    await ann.until('chat:update', ({ chatId }) => chatId === 'c1')
    expect(ann.all('msg:append')).toEqual([])
  })

  it('gets the id of the message that began a new chat', async () => {
    const ann = await given.connect('ann')
    const updatedAt = '2030-01-01T00:00:00.000Z'
    const change = { userId: 'ann', chatId: 'c1', kind: 'updated', title: 'New', updatedAt } as const
    await given.cache.signal.publish('chat-changed', { ...change, clientMessageId: 'own1' })
    expect(await ann.until('chat:update')).toEqual({ chatId: 'c1', title: 'New', updatedAt, clientMessageId: 'own1' })
  })

  it('is refused beyond the limit of joined chats: rate_limited', async () => {
    await given.close()
    given = await givenRealtime({ chatsPerConnection: 2 })
    const ann = await given.connect('ann')
    for (const chatId of ['c1', 'c2', 'c3']) {
      given.chat('ann', chatId)
      ann.say('join', { chatId })
    }
    expect(await ann.until('chat:error')).toMatchObject({ chatId: 'c3', code: 'rate_limited' })
    // A chat that is joined already counts once, and one that is deleted not any more.
    ann.say('join', { chatId: 'c1' })
    await expect.poll(() => ann.all('chat:init')).toHaveLength(3)
    await changed('deleted')
    await ann.until('chat:delete')
    ann.say('join', { chatId: 'c3' })
    await ann.until('chat:init', ({ chatId }) => chatId === 'c3')
    expect(ann.all('chat:error')).toHaveLength(1)
  })

  it('may join a chat again, and gets its state again', async () => {
    given.chat('ann', 'c1')
    const ann = await join()
    ann.say('join', { chatId: 'c1' })
    await expect.poll(() => ann.all('chat:init')).toHaveLength(2)
    expect(ann.all('chat:error')).toEqual([])
  })
})
