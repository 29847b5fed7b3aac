import { describe, expect, it } from 'vitest'
import type { Chat } from '../../src/store/entities.ts'
import { purgedAnswer } from '../../src/store/send-store.ts'
import {
  type ChatEngine,
  held,
  sampleChat,
  sampleEnding,
  sampleFinished,
  sampleGeneration,
  sampleMessage,
  sampleProgress,
  sampleSend,
  second,
} from './samples.ts'

/** Every sentence of the chat store's guarantees, on one engine. */
export function chatStoreContract(name: string, engine: ChatEngine): void {
  describe(`chat store on ${name}`, () => {
    const chats = () => engine.stores.chats
    const ids = async () => (await chats().list('owner')).map(({ id }) => id)

    it('stores a chat, and only the first of two with one id', async () => {
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

    it('replaces a title while it is unchanged, and none of another owner’s or a removed chat', async () => {
      await chats().add(sampleChat('a'))
      const anew = { from: 'Title of a', to: 'Better' }
      expect(await chats().retitle('a', 'other', anew)).toBeUndefined()
      expect(await chats().retitle('a', 'owner', anew)).toMatchObject({ id: 'a', title: 'Better', leafId: null })
      expect(await chats().retitle('a', 'owner', anew)).toBeUndefined()
      await chats().remove('owner', ['a'], second(1))
      expect(await chats().retitle('a', 'owner', { from: 'Better', to: 'Late' })).toBeUndefined()
    })

    it('changes title and pin, and reports when nothing changed', async () => {
      await chats().add(sampleChat('a'))
      expect(await chats().change('a', 'owner', { title: 'New' })).toBe(true)
      expect(await chats().change('a', 'owner', { pinned: true })).toBe(true)
      expect(await chats().find('a', 'owner')).toMatchObject({ title: 'New', pinned: true })
      expect(await chats().change('b', 'owner', { title: 'New' })).toBe(false)
    })

    it('counts messages added concurrently and loses none', async () => {
      const { stores, replica } = engine
      await chats().add(sampleChat('a', { messageCount: 7 }))
      const append = (nth: number) =>
        [stores, replica][nth % 2]?.messages.append('a', 'owner', [
          sampleFinished(`${nth} one`),
          sampleFinished(`${nth} two`),
          sampleFinished('of all'),
        ])
      await Promise.all(Array.from({ length: 8 }, (_none, nth) => append(nth)))
      expect(await chats().find('a', 'owner')).toMatchObject({ messageCount: 7 + 17 })
      const newChat = sampleChat('new')
      const message = sampleMessage('q', { chatId: 'new' })
      const begin = (id: string) =>
        stores.generations.begin(sampleGeneration(id, { chatId: 'new', parentId: 'q' }), held('r'), {
          newChat,
          message,
        })
      expect(await begin('first')).toBe('begun')
      expect(await begin('first')).toBe('exists')
      expect(await chats().find('new', 'owner')).toMatchObject({ messageCount: 2, leafId: 'first' })
      await stores.generations.finish('first', 'r', sampleProgress(), sampleEnding(), undefined)
      expect(await begin('again')).toBe('begun')
      expect(await chats().noteMessages('new', 'v3', second(1))).toMatchObject({ messageCount: 3, leafId: 'again' })
    })

    it('lists the chat written to last first and counts messages as they are', async () => {
      for (const id of ['a', 'b', 'c']) await chats().add(sampleChat(id))
      await engine.stores.messages.append('b', 'owner', [sampleFinished('one')])
      await chats().noteMessages('b', 'big', second(5))
      await chats().noteMessages('a', 'v3', second(3))
      await chats().change('b', 'owner', { title: 'Renamed' })
      expect(await chats().noteMessages('b', 'big', second(4))).toEqual(await chats().find('b', 'owner'))
      expect(await ids()).toEqual(['b', 'a', 'c'])
      expect(await chats().find('b', 'owner')).toMatchObject({
        title: 'Renamed',
        messageCount: 1,
        modelUsed: 'big',
        updatedAt: second(5),
      })
      await chats().remove('owner', ['b'], second(6))
      expect(await chats().noteMessages('b', 'v3', second(7))).toBeUndefined()
      expect(await chats().noteMessages('d', 'v3', second(7))).toBeUndefined()
    })

    it('lists parts of the chats, all of them and those that are pinned or not, each chat once', async () => {
      // Several were written to at one time, so that only their ids order them.
      for (let nth = 0; nth < 12; nth += 1) {
        const place = { updatedAt: second(Math.floor(nth / 4)), pinned: nth % 3 === 0 }
        await chats().add(sampleChat(`c${String.fromCharCode(97 + nth)}`, place))
      }
      await chats().add(sampleChat('cB', { updatedAt: second(1) }))
      await chats().add(sampleChat('of another', { ownerId: 'other', updatedAt: second(1) }))
      await chats().remove('owner', ['cf'], second(9))
      const all = await chats().list('owner')
      expect(all.map(({ id }) => id)).toEqual(['cl', 'ck', 'cj', 'ci', 'ch', 'cg', 'ce', 'cB', 'cd', 'cc', 'cb', 'ca'])
      for (const pinned of [undefined, true, false]) {
        const paged: Chat[] = []
        for (let rounds = 0; rounds < 5; rounds += 1) {
          const part = await chats().list('owner', { limit: 3, after: paged.at(-1), pinned })
          expect(part.length).toBeLessThanOrEqual(3)
          paged.push(...part)
        }
        expect(paged).toEqual(all.filter((chat) => pinned === undefined || chat.pinned === pinned))
      }
    })

    it('returns titles, and the chats with given ids, in the order of the list', async () => {
      for (const [nth, id] of ['a', 'b', 'c'].entries()) await chats().add(sampleChat(id, { updatedAt: second(nth) }))
      await chats().remove('owner', ['b'], second(9))
      expect(await chats().titles('owner')).toEqual([
        { id: 'c', title: 'Title of c' },
        { id: 'a', title: 'Title of a' },
      ])
      const some = async (owner: string) => (await chats().findMany(owner, ['a', 'b', 'c', 'd'])).map(({ id }) => id)
      expect(await some('owner')).toEqual(['c', 'a'])
      expect(await some('other')).toEqual([])
    })

    it('lists archived chats apart, until they are taken out of the archive or a message is written in them', async () => {
      for (const [nth, id] of ['a', 'b', 'c', 'd'].entries()) {
        await chats().add(sampleChat(id, { updatedAt: second(nth), pinned: id === 'b' }))
      }
      await chats().add(sampleChat('of another', { ownerId: 'other' }))
      await chats().remove('owner', ['d'], second(9))
      const archived = await chats().archive('owner', ['a', 'b', 'd', 'of another', 'missing'], true)
      expect(archived.map(({ id, archived }) => [id, archived]).sort()).toEqual([
        ['a', true],
        ['b', true],
      ])
      const listed = async (part: object) => (await chats().list('owner', part)).map(({ id }) => id)
      expect([await ids(), await listed({ archived: true })]).toEqual([['c'], ['b', 'a']])
      expect([await listed({ archived: true, pinned: false }), await listed({ pinned: true })]).toEqual([['a'], []])
      expect(await chats().list('other')).toHaveLength(1)
      expect(await chats().titles('owner')).toEqual([
        { id: 'c', title: 'Title of c' },
        { id: 'b', title: 'Title of b', archived: true },
        { id: 'a', title: 'Title of a', archived: true },
      ])
      expect(await chats().noteMessages('a', 'v3', second(5))).not.toHaveProperty('archived')
      const [back] = await chats().archive('owner', ['b'], false)
      expect(back).toEqual(await chats().find('b', 'owner'))
      expect(back).not.toHaveProperty('archived')
      expect([await ids(), await listed({ archived: true })]).toEqual([['a', 'c', 'b'], []])
    })

    it('stores a chat with its whole thread once, on concurrent imports too', async () => {
      const chat = sampleChat('whole', { leafId: 'm 1200', messageCount: 1201 })
      const parts = (nth: number) => ({ chatId: 'whole', parentId: nth === 0 ? null : `m ${nth - 1}` })
      const thread = Array.from({ length: 1201 }, (_, nth) => ({
        ...sampleFinished(`m ${nth}`, { createdAt: second(nth) }),
        ...parts(nth),
      }))
      const added = [engine.stores, engine.replica].map((stores) => stores.chats.add(chat, thread))
      expect((await Promise.all(added)).sort()).toEqual([false, true])
      expect(await chats().add({ ...chat, title: 'Another' }, [])).toBe(false)
      expect(await chats().find('whole', 'owner')).toEqual(chat)
      expect(await engine.stores.messages.path('whole', 'shown', 2)).toMatchObject([{ id: 'm 1200' }, { id: 'm 1199' }])
      expect(await engine.stores.messages.outline('whole')).toHaveLength(1201)
    })

    it('hides a removed chat, and restores it in time', async () => {
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

    it('purges chats removed long ago, with their messages, except those that are generating', async () => {
      for (const id of ['old', 'new', 'kept']) {
        await chats().add(sampleChat(id))
        await engine.stores.messages.append(id, 'owner', [sampleFinished(`in ${id}`)])
        await engine.stores.sends.claim(sampleSend(id, { chatId: id, clientMessageId: id }))
      }
      const answerTo = async (id: string) =>
        (await engine.stores.sends.find(sampleSend(id, { clientMessageId: id })))?.messageId
      await chats().remove('owner', ['old'], second(10))
      await chats().remove('owner', ['new'], second(20))
      const running = sampleGeneration('g', { chatId: 'old' })
      await engine.stores.generations.begin(running, held('r'))
      await chats().purge(second(20))
      expect(await engine.stores.messages.find('old', 'in old')).toBeUndefined()
      expect(await engine.stores.messages.find('old', 'g')).toBeDefined()
      expect([await answerTo('old'), await answerTo('new')]).toEqual([purgedAnswer, 'answer of new'])
      expect(await chats().restore('old', 'owner', second(0))).toBe(false)
      expect(await chats().restore('new', 'owner', second(0))).toBe(true)
      expect(await engine.stores.messages.find('new', 'in new')).toBeDefined()
      expect(await engine.stores.messages.find('kept', 'in kept')).toBeDefined()
      await engine.stores.generations.finish('g', 'r', sampleProgress(), sampleEnding(), undefined)
      await chats().purge(second(20))
      expect(await engine.stores.messages.find('old', 'g')).toBeUndefined()
      expect(await chats().restore('old', 'owner', second(0))).toBe(false)
    })

    it('keeps a chat that is imported again while several replicas purge it', async () => {
      for (let round = 0; round < 10; round += 1) {
        const id = `round ${round}`
        const message = { ...sampleFinished(`in ${id}`), chatId: id, parentId: null }
        const add = () => chats().add(sampleChat(id), [message])
        await add()
        await chats().remove('owner', [id], second(10))
        const purging = Promise.all(Array.from({ length: 6 }, () => chats().purge(second(20))))
        await expect.poll(add, { interval: 1 }).toBe(true)
        await purging
        expect(await chats().find(id, 'owner')).toBeDefined()
        expect(await engine.stores.messages.find(id, message.id)).toBeDefined()
      }
    })
  })
}
