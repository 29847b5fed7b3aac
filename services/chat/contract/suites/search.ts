import { describe, expect, it } from 'vitest'
import { type ChatEngine, held, sampleChat, sampleFinished, sampleGeneration, searchMemory, second } from './samples.ts'

/** Every sentence of the search store's guarantees, on one engine. */
export function searchStoreContract(name: string, engine: ChatEngine): void {
  describe(`search store on ${name}`, () => {
    const search = () => engine.stores.search
    const put = async (chatId: string, texts: readonly string[], at = 0, ownerId = 'owner') => {
      await engine.stores.chats.add(sampleChat(chatId, { ownerId, updatedAt: second(at) }))
      const messages = texts.map((content, nth) =>
        sampleFinished(`${chatId} ${nth}`, { content, createdAt: second(at + nth) }),
      )
      expect(await engine.stores.messages.append(chatId, ownerId, messages)).toBe('appended')
    }
    const found = async (folded: string, limit = 50, ownerId = 'owner') =>
      (await search().find(ownerId, folded, limit)).map(({ messageId }) => messageId)

    describe.each([
      ['as it was written', false],
      ['in segments', true],
    ])('%s', (_how, isIndexed) => {
      const index = async () => {
        if (isIndexed) while ((await search().index(second(1_000))) > 0);
      }

      it('finds what contains the words, in any script and of any length, and takes them literally', async () => {
        const texts = ['50% of snake_case', 'Straße .* \\ ende', '今日は東京へ', '你好世界', 'مرحبا بالعالم', 'last']
        await put('a', texts)
        await index()
        const wanted: readonly (readonly [string, string])[] = [
          ['0%', 'a 0'],
          ['_', 'a 0'],
          ['snake_case', 'a 0'],
          ['straße', 'a 1'],
          ['.*', 'a 1'],
          ['\\', 'a 1'],
          ['東', 'a 2'],
          ['東京', 'a 2'],
          ['你好世', 'a 3'],
          ['العالم', 'a 4'],
          ['k', 'a 0'],
          ['last', 'a 5'],
        ]
        for (const [words, messageId] of wanted) expect(await found(words)).toContain(messageId)
        for (const words of ['f%s', 'a.*e', '世界你', 'lastt', 'snakexcase']) expect(await found(words)).toEqual([])
        expect(await found('case straße')).toEqual([])
      })

      it('finds messages of archived chats or of the others', async () => {
        await put('kept', ['secret word'])
        await put('filed', ['secret word'])
        await engine.stores.chats.archive('owner', ['filed'], true)
        await index()
        expect(await found('secret')).toContain('kept 0')
        const filed = (await search().find('owner', 'secret', 50, true)).map(({ messageId }) => messageId)
        expect(filed).toContain('filed 0')
        if (isIndexed) expect([await found('secret'), filed]).toEqual([['kept 0'], ['filed 0']])
      })

      it('finds only what is the owner’s and not removed', async () => {
        await put('mine', ['secret word'])
        await put('theirs', ['secret word'], 0, 'other')
        await put('gone', ['secret word'])
        await index()
        await engine.stores.chats.remove('owner', ['gone'], second(5))
        const hits = await search().find('owner', 'secret', 50)
        const shown = await engine.stores.chats.findMany(
          'owner',
          hits.map(({ chatId }) => chatId),
        )
        expect(shown.map(({ id }) => id)).toEqual(['mine'])
        expect(hits.map(({ chatId }) => chatId)).not.toContain('theirs')
        expect(await found('secret', 50, 'nobody')).toEqual([])
      })
    })

    it('returns the chats written to last, when there are more than requested', async () => {
      for (let nth = 0; nth < 6; nth += 1) await put(`c${nth}`, ['the same'], nth * 10)
      while ((await search().index(second(1_000))) > 0);
      expect(await found('same', 3)).toEqual(['c5 0', 'c4 0', 'c3 0'])
    })

    it('indexes each message once, on concurrent runs too, and none that is new or being written', async () => {
      await put(
        'a',
        Array.from({ length: 40 }, (_, nth) => `number ${nth}`),
      )
      await engine.stores.generations.begin(sampleGeneration('g', { chatId: 'a' }), held('r'), {})
      const rounds = await Promise.all([engine.stores, engine.replica].map((stores) => stores.search.index(second(30))))
      expect(Math.max(...rounds)).toBeGreaterThan(0)
      while ((await search().index(second(30))) > 0);
      expect(await search().index(second(30))).toBe(0)
      expect(await found('number 29')).toEqual(['a 29'])
      expect(await found('number 39')).toEqual(['a 39'])
    })

    it('cuts long texts into several segments', async () => {
      const long = 'lorem ipsum '.repeat(1_000)
      await put('a', [`${long}first`, `${long}second`, `${long}third`])
      while ((await search().index(second(1_000))) > 0);
      for (const [nth, word] of ['first', 'second', 'third'].entries()) expect(await found(word)).toEqual([`a ${nth}`])
    })

    it('cuts a single long text into several segments, too, and finds what is at their borders', async () => {
      const longer = 'lorem ipsum '.repeat(1_333)
      await put('a', [`${longer}over the border ${longer}in the end`, 'the next'])
      while ((await search().index(second(1_000))) > 0);
      for (const words of ['over the border', 'in the end']) expect(await found(words)).toEqual(['a 0'])
      expect(await found('the next')).toEqual(['a 1'])
    })

    it('indexes in portions that fit into memory, and scans only the latest messages that are not indexed', async () => {
      const filling = 'x'.repeat(searchMemory.indexed / 4.2)
      for (let nth = 0; nth < 18; nth += 1) await put(`c${nth}`, [`word${nth}; ${filling}`], nth)
      expect(await found('word17;')).toEqual(['c17 0'])
      expect(await found('word0;')).toEqual([])
      const portions: number[] = []
      for (let count = await search().index(second(1_000)); count > 0; count = await search().index(second(1_000))) {
        portions.push(count)
      }
      expect(Math.max(...portions)).toBe(4)
      expect(await found('word0;')).toEqual(['c0 0'])
    })

    it('removes a purged chat from the index', async () => {
      await put('a', ['secret word'])
      while ((await search().index(second(1_000))) > 0);
      await engine.stores.chats.remove('owner', ['a'], second(5))
      await engine.stores.chats.purge(second(10))
      await put('a', ['another'], 20)
      expect(await found('secret')).toEqual([])
    })
  })
}
