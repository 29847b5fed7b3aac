import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type ChatEngine,
  held,
  type OpenChatEngine,
  sampleChat,
  sampleEnding,
  sampleGeneration,
  sampleMessage,
  sampleProgress,
  second,
} from './store-samples.contract.ts'

/** Every sentence of the chat store's guarantees, on one engine. */
export function chatStoreContract(name: string, open: OpenChatEngine): void {
  describe(`chat store on ${name}`, () => {
    let engine: ChatEngine
    const chats = () => engine.stores.chats
    const ids = async (words?: string) => (await chats().list('owner', words)).map(({ id }) => id)
    beforeEach(async () => {
      engine = await open()
    })
    afterEach(() => engine.close())

    it('keeps a chat and keeps the first of two with one id', async () => {
      const chat = sampleChat('a', { pinned: true })
      await chats().add(chat)
      await chats().add({ ...chat, title: 'Another' })
      expect(await engine.replica.chats.find('a', 'owner')).toEqual(chat)
    })

    it('shows no chat to another owner and changes none', async () => {
      await chats().add(sampleChat('a'))
      expect(await chats().find('a', 'other')).toBeUndefined()
      expect(await chats().list('other')).toEqual([])
      expect(await chats().change('a', 'other', { title: 'Mine' })).toBe(false)
      expect(await chats().remove('other', ['a'], second(1))).toEqual([])
      expect(await chats().remove('other', 'all', second(1))).toEqual([])
      expect(await chats().find('a', 'owner')).toEqual(sampleChat('a'))
    })

    it('changes title and pin, and tells when there is nothing to change', async () => {
      await chats().add(sampleChat('a'))
      expect(await chats().change('a', 'owner', { title: 'New' })).toBe(true)
      expect(await chats().change('a', 'owner', { pinned: true })).toBe(true)
      expect(await chats().find('a', 'owner')).toMatchObject({ title: 'New', pinned: true })
      expect(await chats().change('b', 'owner', { title: 'New' })).toBe(false)
    })

    it('lists the chat written to last first and counts messages as they are', async () => {
      for (const id of ['a', 'b', 'c']) await chats().add(sampleChat(id))
      await engine.stores.messages.addUserMessage(sampleMessage('one', { chatId: 'b' }))
      await chats().noteMessages('b', 'big', second(5))
      await chats().noteMessages('a', 'v3', second(3))
      await chats().noteMessages('b', 'big', second(4))
      expect(await ids()).toEqual(['b', 'a', 'c'])
      expect(await chats().find('b', 'owner')).toMatchObject({
        messageCount: 1,
        modelUsed: 'big',
        updatedAt: second(5),
      })
    })

    it('finds words literally, in any case, in titles and messages', async () => {
      await chats().add(sampleChat('title', { title: 'Half of 50% off_sale' }))
      await chats().add(sampleChat('message', { title: 'Other' }))
      await engine.stores.messages.addUserMessage(sampleMessage('m', { chatId: 'message', content: 'a back\\slash' }))
      expect(await ids('OFF_')).toEqual(['title'])
      expect(await ids('0%')).toEqual(['title'])
      expect(await ids('f%s')).toEqual([])
      expect(await ids('k\\S')).toEqual(['message'])
      expect(await ids('.*')).toEqual([])
    })

    it('hides what is removed and restores it in time', async () => {
      for (const id of ['a', 'b', 'c']) await chats().add(sampleChat(id))
      expect(await chats().remove('owner', ['a', 'missing'], second(10))).toEqual(['a'])
      expect(await chats().remove('owner', ['a'], second(11))).toEqual([])
      expect(await chats().find('a', 'owner')).toBeUndefined()
      expect(await chats().change('a', 'owner', { pinned: true })).toBe(false)
      expect(await ids()).not.toContain('a')
      expect(await chats().restore('a', 'other', second(0))).toBe(false)
      expect(await chats().restore('a', 'owner', second(11))).toBe(false)
      expect(await chats().restore('a', 'owner', second(10))).toBe(true)
      expect(await chats().restore('a', 'owner', second(10))).toBe(false)
      expect([...(await chats().remove('owner', 'all', second(20)))].sort()).toEqual(['a', 'b', 'c'])
    })

    it('purges what was removed long ago, with its messages, but not what is generating', async () => {
      for (const id of ['old', 'new', 'kept']) {
        await chats().add(sampleChat(id))
        await engine.stores.messages.addUserMessage(sampleMessage(`in ${id}`, { chatId: id }))
      }
      await chats().remove('owner', ['old'], second(10))
      await chats().remove('owner', ['new'], second(20))
      const running = sampleGeneration('g', { chatId: 'old' })
      await engine.stores.generations.begin(running, held('r'))
      await chats().purge(second(20))
      expect(await engine.stores.messages.find('old', 'in old')).toBeUndefined()
      expect(await engine.stores.messages.find('old', 'g')).toBeDefined()
      expect(await chats().restore('new', 'owner', second(0))).toBe(true)
      expect(await engine.stores.messages.find('new', 'in new')).toBeDefined()
      expect(await engine.stores.messages.find('kept', 'in kept')).toBeDefined()
      await engine.stores.generations.finish('g', 'r', sampleProgress(), sampleEnding(), undefined)
      await chats().purge(second(20))
      expect(await engine.stores.messages.find('old', 'g')).toBeUndefined()
      expect(await chats().restore('old', 'owner', second(0))).toBe(false)
    })
  })
}
