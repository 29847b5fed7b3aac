import { afterEach, describe, expect, it } from 'vitest'
import { type Given, givenRealtime, message } from './given.ts'

let given: Given
afterEach(() => given.close())

const asked = (part: string): string[] => given.backend.asked.filter((path) => path.includes(part))

describe('joins', () => {
  it('of one user are counted over all connections, so that connecting again does not start over', async () => {
    given = await givenRealtime({ joins: { burst: 3, perSecond: 0.001 } })
    for (const userId of ['ann', 'bob']) given.chat(userId, 'c1')
    const join = async (userId: string) => {
      const client = await given.connect(userId)
      client.say('join', { chatId: 'c1' })
      return client
    }
    for (let times = 0; times < 3; times += 1) {
      const ann = await join('ann')
      await ann.until('chat:init')
      ann.close()
    }
    expect(await (await join('ann')).until('chat:error')).toMatchObject({ chatId: 'c1', code: 'rate_limited' })
    expect(asked('/c1/live')).toHaveLength(3)
    await (await join('bob')).until('chat:init')
  })
})

describe('a message of a chat', () => {
  it('in a form that is not known is read once, and those after it are sent', async () => {
    given = await givenRealtime()
    given.chat('ann', 'c1')
    const ann = await given.connect('ann')
    ann.say('join', { chatId: 'c1' })
    await ann.until('chat:init')
    given.backend.messages.set('m1', message('m1', { status: 'dreamt' as never }))
    given.backend.messages.set('m2', message('m2'))
    const change = { userId: 'ann', chatId: 'c1', kind: 'message' } as const
    for (const messageId of ['m1', 'm2']) await given.cache.signal.publish('chat-changed', { ...change, messageId })
    expect((await ann.until('msg:append')).message.id).toBe('m2')
    expect(asked('/messages/m1')).toHaveLength(1)
  })
})
