import type { SocketClient } from '@parley/testing/socket-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Given, givenRealtime, message } from './given.ts'

describe('a client whose chat changes while its state is being read', () => {
  let given: Given
  let ann: SocketClient
  /** Let the answers of chat through, in the order of its readings. */
  let answers: (() => void)[]
  beforeEach(async () => {
    given = await givenRealtime()
    answers = []
    given.backend.afterLook = () => new Promise((answer) => void answers.push(answer))
    ann = await given.connect('ann')
  })
  afterEach(() => given.close())

  const running = (content: string) => given.chat('ann', 'c1', { messageId: 'm1', lastEventId: 0, content })
  const joinSlowly = async (): Promise<void> => {
    const before = answers.length
    ann.say('join', { chatId: 'c1' })
    await expect.poll(() => answers).toHaveLength(before + 1)
  }
  /** Joins another chat; what was sent before has arrived then. */
  const joinAnother = async (): Promise<void> => {
    given.backend.afterLook = async () => undefined
    given.chat('ann', 'c2')
    ann.say('join', { chatId: 'c2' })
    await ann.until('chat:init', ({ chatId }) => chatId === 'c2')
  }

  it('gets neither state nor events of it once it is deleted', async () => {
    running('secret')
    await joinSlowly()
    const change = { userId: 'ann', chatId: 'c1' }
    await given.cache.signal.publish('chat-changed', { ...change, kind: 'deleted' })
    await ann.until('chat:delete')
    answers[0]?.()
    given.backend.messages.set('u1', message('u1'))
    await given.cache.signal.publish('chat-changed', { ...change, kind: 'message', messageId: 'u1' })
    await joinAnother()
    expect(ann.heard.map(({ event }) => event).slice(1)).toEqual(['chat:delete', 'joined', 'chat:init'])
  })

  it('stays in the chat if a former join fails later than the last one succeeds', async () => {
    await joinSlowly()
    running('begun')
    await joinSlowly()
    answers[1]?.()
    await ann.until('chat:init')
    answers[0]?.()
    await joinAnother()
    given.backend.messages.set('u1', message('u1'))
    const change = { userId: 'ann', chatId: 'c1' }
    await given.cache.signal.publish('chat-changed', { ...change, kind: 'message', messageId: 'u1' })
    await ann.until('msg:append')
    expect(ann.all('chat:error')).toEqual([])
  })

  it('stays in the chat if a join that it left fails later than it joined again', async () => {
    await joinSlowly()
    ann.say('leave', { chatId: 'c1' })
    running('begun')
    await joinSlowly()
    answers[0]?.()
    answers[1]?.()
    await ann.until('chat:init')
    expect(ann.heard.map(({ event }) => event).slice(1)).toEqual(['left', 'joined', 'chat:init'])
  })

  it('gets the latest state only if it joins again', async () => {
    running('old')
    await joinSlowly()
    running('new')
    await joinSlowly()
    answers[1]?.()
    await ann.until('chat:init')
    answers[0]?.()
    await joinAnother()
    const states = ann.all('chat:init').map(({ chatId, generating }) => [chatId, generating?.content])
    expect(states).toEqual([
      ['c1', 'new'],
      ['c2', undefined],
    ])
  })
})
