import { describe, expect, it } from 'vitest'
import type { NewFile } from '../../src/store/file-store.ts'
import {
  type ChatEngine,
  held,
  sampleChat,
  sampleEnding,
  sampleFinished,
  sampleGeneration,
  sampleMessage,
  sampleProgress,
  second,
} from './samples.ts'

const sampleFile = (id: string, ownerId: string): NewFile => ({
  ...{ id, ownerId, sha256: id, name: 'a.png', mimeType: 'image/png', size: 3, width: 1, height: 1, pages: null },
  ...{ made: null, createdAt: second(0), bytes: Buffer.from([1, 2, 3]), thumb: null, text: null, expiresAt: second(9) },
})

const sampleSend = (id: string, ownerId: string) => ({
  ...{ id, ownerId, clientMessageId: `key of ${id}`, idempotencyKey: null, bodyHash: 'hash', chatId: 'chat' },
  ...{ userMessageId: 'question', messageId: 'answer', parentId: null, createdAt: second(0) },
})

/** Every sentence about erasing, on one engine. */
export function erasureStoreContract(name: string, engine: ChatEngine): void {
  describe(`erasing on ${name}`, () => {
    /** A chat that is shown, one that is removed, an answer that runs, what is searched and what waits to be, a send, a file and a watchlist. */
    async function givenOwner(ownerId: string): Promise<void> {
      const { chats, messages, generations, search, sends, files, watchlists } = engine.stores
      for (const id of [`shown ${ownerId}`, `removed ${ownerId}`]) {
        await chats.add(sampleChat(id, { ownerId }))
        await messages.append(id, ownerId, [sampleFinished(`of ${id}`, { content: `canary ${ownerId}` })])
      }
      await search.index(second(1))
      await chats.remove(ownerId, [`removed ${ownerId}`], second(1))
      const chatId = `running ${ownerId}`
      const message = sampleMessage(`asked ${ownerId}`, { chatId, ownerId, createdAt: second(2) })
      const turn = { newChat: sampleChat(chatId, { ownerId }), message, follows: null }
      await generations.begin(sampleGeneration(`answer ${ownerId}`, { chatId, ownerId }), held('replica'), turn)
      await sends.claim(sampleSend(`send ${ownerId}`, ownerId))
      await files.add(sampleFile(`file ${ownerId}`, ownerId))
      await files.attach(chatId, ownerId, [`file ${ownerId}`], second(0))
      await watchlists.replace(ownerId, ['AAPL'])
    }

    /** What there is of an owner, by whatever can be asked. */
    async function leftOf(ownerId: string) {
      const { chats, messages, generations, search, files, watchlists, usage } = engine.replica
      const restored = await chats.restore(`removed ${ownerId}`, ownerId, second(0))
      if (restored) await chats.remove(ownerId, [`removed ${ownerId}`], second(1))
      const ids = [`of shown ${ownerId}`, `of removed ${ownerId}`, `asked ${ownerId}`, `answer ${ownerId}`]
      return {
        chats: (await chats.titles(ownerId)).length,
        restored,
        messages: (await messages.existing(ids)).length,
        answer: (await generations.find(`answer ${ownerId}`, ownerId)) !== undefined,
        found: (await search.find(ownerId, 'canary', 10)).length,
        files: (await files.find([`file ${ownerId}`], ownerId)).length,
        watchlist: await watchlists.read(ownerId),
        usage: await usage.of(ownerId),
      }
    }
    const nothing = {
      ...{ chats: 0, restored: false, messages: 0, answer: false, found: 0, files: 0, watchlist: [] },
      usage: { chats: 0, bytes: 0 },
    }
    const everything = {
      ...{ chats: 2, restored: true, messages: 4, answer: true, found: 1, files: 1, watchlist: ['AAPL'] },
      usage: { chats: 2, bytes: expect.any(Number) },
    }

    it('removes all data of the owner, and none of others', async () => {
      await givenOwner('ann')
      await givenOwner('bob')
      expect(await leftOf('ann')).toEqual(everything)
      expect(await engine.stores.erasures.isErased('ann')).toBe(false)
      await engine.stores.erasures.erase('ann')
      await engine.replica.erasures.erase('ann')
      expect(await leftOf('ann')).toEqual(nothing)
      expect(await leftOf('bob')).toEqual(everything)
      expect(await engine.replica.erasures.isErased('ann')).toBe(true)
      expect(await engine.replica.erasures.isErased('bob')).toBe(false)
    })

    it('is not undone by an answer that ends later', async () => {
      await givenOwner('carl')
      await engine.stores.erasures.erase('carl')
      const { generations } = engine.replica
      expect(await generations.checkpoint('answer carl', held('replica'), sampleProgress())).toBeUndefined()
      expect(await generations.finish('answer carl', 'replica', sampleProgress(), sampleEnding(), undefined)).toBe(
        false,
      )
      await generations.noteSettled('answer carl', { charged: 1, remaining: 1 })
      expect(await leftOf('carl')).toEqual(nothing)
    })

    it('refuses every later write for the owner, and stores nothing of it', async () => {
      await engine.stores.erasures.erase('dora')
      const { chats, generations, sends, files, watchlists, messages } = engine.replica
      const turn = { newChat: sampleChat('running dora', { ownerId: 'dora' }), follows: null }
      const late: (() => Promise<unknown>)[] = [
        () => chats.add(sampleChat('shown dora', { ownerId: 'dora' })),
        () =>
          chats.add(sampleChat('removed dora', { ownerId: 'dora' }), [
            { ...sampleFinished('of removed dora'), chatId: 'removed dora', parentId: null },
          ]),
        () => messages.append('shown dora', 'dora', [sampleFinished('of shown dora')]),
        () =>
          generations.begin(
            sampleGeneration('answer dora', { chatId: 'running dora', ownerId: 'dora' }),
            held('replica'),
            turn,
          ),
        () => sends.claim(sampleSend('send dora', 'dora')),
        () => files.add(sampleFile('file dora', 'dora')),
        () => watchlists.replace('dora', ['AAPL']),
      ]
      for (const act of late) await expect(act()).rejects.toMatchObject({ code: 'not_found' })
      expect(await leftOf('dora')).toEqual(nothing)
    })

    it('erases an owner of more than one step', async () => {
      const ownerId = 'eve'
      const many = Array.from({ length: 1_203 }, (_none, index) => index)
      const chat = sampleChat('shown eve', { ownerId })
      const written = many.map((index) => ({
        ...sampleFinished(`eve ${index}`),
        chatId: chat.id,
        parentId: index === 0 ? null : `eve ${index - 1}`,
      }))
      await engine.stores.chats.add(chat, written)
      for (const index of many.slice(0, 45)) await engine.stores.files.add(sampleFile(`file eve ${index}`, ownerId))
      await engine.stores.erasures.erase(ownerId)
      expect(await engine.replica.messages.existing(many.map((index) => `eve ${index}`))).toEqual([])
      expect(
        await engine.replica.files.find(
          many.map((index) => `file eve ${index}`),
          ownerId,
        ),
      ).toEqual([])
    })

    it('frees the keys of sends', async () => {
      await givenOwner('fred')
      await engine.stores.erasures.erase('fred')
      // Another owner may hold the same ids, as a file of them may be imported anywhere.
      const again = sampleSend('send fred', 'greg')
      expect(await engine.replica.sends.claim(again)).toEqual({ claimed: true, send: again })
    })
  })
}
