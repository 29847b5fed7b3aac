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

const sampleFile = (id: string, size: number): NewFile => ({
  ...{ id, ownerId: 'owner', sha256: id, name: 'a.png', mimeType: 'image/png', size, width: 1, height: 1, pages: null },
  ...{ made: null, createdAt: second(0), bytes: Buffer.alloc(size), thumb: null, text: null, expiresAt: second(9) },
})
const due = new Date('2200-01-01')

/** Every sentence about totals of owners, on one engine. */
export function usageStoreContract(name: string, engine: ChatEngine): void {
  describe(`totals of owners on ${name}`, () => {
    const stores = () => engine.stores
    const used = () => engine.replica.usage.of('owner')
    /** Until nothing is due any more. */
    const recount = async () => {
      while ((await stores().usage.recount(due)) > 0);
    }

    it('count chats that are not removed, and bytes of finished messages, as they are stored', async () => {
      const { chats, messages, generations, files } = stores()
      expect(await used()).toEqual({ chats: 0, bytes: 0 })
      await chats.add(sampleChat('a'))
      await chats.add(sampleChat('a'))
      await chats.add(sampleChat('of another', { ownerId: 'other' }))
      expect(await used()).toEqual({ chats: 1, bytes: 0 })
      await messages.append('a', 'owner', [sampleFinished('one', { content: 'Größe', reasoning: 'why' })])
      await messages.append('a', 'owner', [sampleFinished('one'), sampleFinished('two', { content: 'x' })])
      expect(await used()).toEqual({ chats: 1, bytes: 7 + 3 + 1 })
      const message = sampleMessage('q', { chatId: 'b', content: '1234' })
      const turn = { newChat: sampleChat('b'), message }
      const begun = sampleGeneration('answer', { chatId: 'b', parentId: 'q' })
      await generations.begin(begun, held('r'), turn)
      await generations.begin(begun, held('r'), turn)
      await generations.checkpoint('answer', held('r'), sampleProgress())
      expect(await used()).toEqual({ chats: 2, bytes: 15 })
      const progress = sampleProgress({ content: 'Grüße', reasoning: '' })
      await generations.finish('answer', 'r', progress, sampleEnding(), undefined)
      await generations.finish('answer', 'r', progress, sampleEnding(), undefined)
      expect(await used()).toEqual({ chats: 2, bytes: 22 })
      await files.add(sampleFile('file', 1_000))
      await files.add(sampleFile('file', 1_000))
      const whole = { ...sampleFinished('w', { content: '123' }), chatId: 'whole', parentId: null }
      await chats.add(sampleChat('whole'), [whole])
      await chats.add(sampleChat('whole'), [whole])
      expect(await used()).toEqual({ chats: 3, bytes: 1_025 })
      await recount()
      expect(await used()).toEqual({ chats: 3, bytes: 1_025 })
    })

    it('drop chats as they are removed, and bytes as they are purged', async () => {
      const { chats, messages, files } = stores()
      for (const id of ['a', 'b', 'c']) {
        await chats.add(sampleChat(id))
        await messages.append(id, 'owner', [sampleFinished(`in ${id}`, { content: '0123456789' })])
      }
      await files.add(sampleFile('file', 100))
      await files.attach('a', 'owner', ['file'], second(0))
      await chats.remove('owner', ['a', 'b', 'missing'], second(1))
      expect(await used()).toEqual({ chats: 1, bytes: 130 })
      expect(await chats.restore('b', 'owner', second(0))).toBe(true)
      expect(await chats.restore('b', 'owner', second(0))).toBe(false)
      expect(await used()).toEqual({ chats: 2, bytes: 130 })
      await files.release(second(2), second(2))
      await chats.purge(second(2))
      await files.purge(second(10))
      await recount()
      expect(await used()).toEqual({ chats: 2, bytes: 20 })
      await chats.remove('owner', 'all', second(3))
      await chats.purge(second(4))
      await recount()
      expect(await used()).toEqual({ chats: 0, bytes: 0 })
    })

    it('lose no concurrent addition', async () => {
      const add = async (nth: number) => {
        const { chats, messages } = [engine.stores, engine.replica][nth % 2] ?? engine.stores
        await chats.add(sampleChat(`chat ${nth}`))
        await messages.append(`chat ${nth}`, 'owner', [sampleFinished(`message ${nth}`, { content: '0123456789' })])
      }
      await Promise.all([...Array.from({ length: 12 }, (_none, nth) => add(nth)), stores().usage.recount(due)])
      await recount()
      expect(await used()).toEqual({ chats: 12, bytes: 120 })
    })

    it("do not count a guest's data", async () => {
      const guest = { ownerId: 'guest:g', guest: { sessionId: 'g', network: 'n' }, expiresAt: second(9) }
      await stores().generations.begin(sampleGeneration('answer', guest), held('r'))
      await stores().generations.finish('answer', 'r', sampleProgress(), sampleEnding(), undefined)
      expect(await stores().usage.of('guest:g')).toEqual({ chats: 0, bytes: 0 })
      await stores().abandoned.purgeExpired(second(10))
      expect(await stores().usage.of('guest:g')).toEqual({ chats: 0, bytes: 0 })
    })
  })
}
