import { type Event, eventSchema } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import type { NewFile } from '../../src/store/file-store.ts'
import { type ChatEngine, held, sampleChat, sampleEnding, sampleGeneration, sampleProgress, second } from './samples.ts'

const sampleFile = (id: string, parts: Partial<NewFile> = {}): NewFile => ({
  id,
  ownerId: 'owner',
  sha256: `digest of ${id}`,
  name: `${id} ö.png`,
  mimeType: 'image/png',
  size: 4,
  width: 3,
  height: 2,
  pages: null,
  made: null,
  bytes: Buffer.from([0, 1, 0xff, 0]),
  thumb: Buffer.from([9]),
  text: null,
  createdAt: second(0),
  expiresAt: second(10),
  ...parts,
})

const finished = (id: string, seconds: number): Event =>
  eventSchema.parse({
    ...{ id: `event of ${id}`, type: 'chat.generation-finished', at: second(seconds).toISOString(), v: 1, key: id },
    data: {
      ...{ generationId: id, chatId: null, userId: 'owner', model: 'painter', outcome: 'complete', charge: 4 },
      usage: { inputTokens: 0, outputTokens: 0, estimated: false },
    },
  })

const uploaded = (expiresAt: number) => ({ at: second(1), expiresAt: second(expiresAt) })

const metaOf = ({ bytes: _bytes, thumb: _thumb, text: _text, expiresAt: _expiresAt, ...meta }: NewFile) => meta

/** Every sentence of the file store's guarantees, on one engine. */
export function fileStoreContract(name: string, engine: ChatEngine): void {
  describe(`file store on ${name}`, () => {
    const files = () => engine.stores.files
    /** Those of some ids that are still there at a time. */
    const left = async (at: number) => {
      await files().purge(second(at))
      return (await files().find(['a', 'b', 'c'], 'owner')).map(({ id }) => id).sort()
    }

    it('stores an image, its thumbnail and the model that made it', async () => {
      const file = sampleFile('a', { made: { model: 'painter', credits: 4 } })
      expect(await files().add(file)).toEqual(metaOf(file))
      expect(await engine.replica.files.find(['a', 'none'], 'owner')).toEqual([metaOf(file)])
      expect(Buffer.from((await files().bytes('a', 'owner', 'full')) ?? [])).toEqual(file.bytes)
      expect(Buffer.from((await files().bytes('a', 'owner', 'thumb')) ?? [])).toEqual(file.thumb)
      expect(await files().text('a', 'owner')).toBeUndefined()
    })

    it('stores an image with its event, once, which waits among those of answers and outlives the file', async () => {
      const { generations, outbox } = engine.stores
      const file = sampleFile('a', { made: { model: 'painter', credits: 4 } })
      expect(await files().add(file, finished('a', 1))).toEqual(metaOf(file))
      expect(await files().add(file, { ...finished('a', 1), id: 'again' })).toEqual(metaOf(file))
      await generations.begin(sampleGeneration('g'), held('r'))
      await generations.finish('g', 'r', sampleProgress(), sampleEnding(), finished('g', 2))
      await files().purge(second(11))
      expect(await engine.replica.outbox.pending(1)).toEqual([finished('a', 1)])
      expect(await engine.replica.outbox.pending(10)).toEqual([finished('a', 1), finished('g', 2)])
      await outbox.published(['event of a', 'event of g'])
      expect(await engine.replica.outbox.pending(10)).toEqual([])
      expect(await left(11)).toEqual([])
    })

    it('stores a PDF with its text', async () => {
      const pdf = { mimeType: 'application/pdf', width: null, height: null, pages: 3, thumb: null } as const
      const file = sampleFile('a', { ...pdf, text: 'Grüße 😀' })
      await files().add(file)
      expect(await files().find(['a'], 'owner')).toEqual([metaOf(file)])
      expect(await files().text('a', 'owner')).toBe('Grüße 😀')
      expect(await files().bytes('a', 'owner', 'thumb')).toBeUndefined()
    })

    it('refuses another owner to read or attach a file', async () => {
      await files().add(sampleFile('a'))
      expect(await files().find(['a'], 'other')).toEqual([])
      expect(await files().findDigest('other', 'digest of a', uploaded(99))).toBeUndefined()
      expect(await files().bytes('a', 'other', 'full')).toBeUndefined()
      expect(await files().text('a', 'other')).toBeUndefined()
      expect(await files().attach('chat', 'other', ['a'], second(0))).toBe(false)
      expect(await left(11)).toEqual([])
    })

    it("lists an owner's files in pages, and no other owner's", async () => {
      for (const id of ['c', 'a', 'e', 'b', 'd']) await files().add(sampleFile(id))
      for (const ownerId of ['owner!', 'owner 2', 'own', 'owner0'])
        await files().add(sampleFile(`of ${ownerId}`, { ownerId }))
      const listed: string[] = []
      for (let after = ''; ; ) {
        const some = await engine.replica.files.ofOwner('owner', after, 2)
        listed.push(...some.map(({ id }) => id))
        after = some.at(-1)?.sha256 ?? ''
        if (some.length < 2) break
      }
      expect(listed).toEqual(['a', 'b', 'c', 'd', 'e'])
      expect(await files().ofOwner('owner!', '', 9)).toMatchObject([{ id: 'of owner!' }])
      expect(await files().ofOwner('nobody', '', 9)).toEqual([])
    })

    it("lists an owner's files that were sent with messages, the newest first, after any of them", async () => {
      const made = { model: 'painter', credits: 4 }
      const given: [string, number, Partial<NewFile>?][] = [
        ...([
          ['old', 1],
          ['twin b', 2],
          ['twin a', 2],
          ['new', 3],
        ] as [string, number][]),
        ...([
          ['made', 4, { made }],
          ['foreign', 4, { ownerId: 'other' }],
        ] as [string, number, Partial<NewFile>][]),
      ]
      for (const [id, at, parts] of given) {
        await files().add(sampleFile(id, { createdAt: second(at), ...parts }))
        await files().attach('chat', parts?.ownerId ?? 'owner', [id], second(at))
      }
      await files().add(sampleFile('unsent', { createdAt: second(5) }))
      const listed = await engine.replica.files.sent('owner', undefined, 9)
      expect(listed.map(({ id }) => id)).toEqual(['new', 'twin b', 'twin a', 'old'])
      expect(listed[0]).toEqual(metaOf(sampleFile('new', { createdAt: second(3) })))
      for (const [nth, place] of listed.entries()) {
        const behind = await files().sent('owner', place, 2)
        expect(behind.map(({ id }) => id)).toEqual(listed.slice(nth + 1, nth + 3).map(({ id }) => id))
      }
      expect(await files().sent('nobody', undefined, 9)).toEqual([])
    })

    it('detaches files from chats that were never created, once that is checked', async () => {
      await engine.stores.chats.add(sampleChat('there'))
      for (const id of ['a', 'b', 'c']) await files().add(sampleFile(id))
      await files().attach('never', 'owner', ['a', 'b'], second(1))
      await files().attach('there', 'owner', ['b'], second(2))
      await files().confirm(second(1), second(50))
      expect(await left(1_000)).toEqual(['a', 'b'])
      await files().confirm(second(2), second(50))
      expect(await left(50)).toEqual(['a', 'b'])
      await files().confirm(second(3), second(60))
      expect(await left(1_000)).toEqual(['b'])
      // It is known to be kept now, until its chat is removed; what is attached anew is looked at again.
      await engine.stores.chats.remove('owner', ['there'], second(0))
      await files().attach('never again', 'owner', ['b'], second(4))
      await files().release(second(1), second(70))
      expect(await left(1_000)).toEqual(['b'])
      await files().confirm(second(5), second(70))
      expect(await left(1_000)).toEqual([])
    })

    it('keeps the expiry of an upload without a message when chats are checked', async () => {
      await files().add(sampleFile('a'))
      await files().confirm(second(5), second(6))
      expect(await left(10)).toEqual(['a'])
      expect(await left(11)).toEqual([])
    })

    it('stores the same content once for each owner', async () => {
      const same = (id: string, ownerId: string) => sampleFile(id, { ownerId, sha256: 'the same' })
      const kept = await Promise.all(
        Array.from({ length: 10 }, (_, nth) =>
          (nth % 2 ? engine.replica : engine.stores).files.add(same(`f${nth}`, 'owner')),
        ),
      )
      expect(new Set(kept.map(({ id }) => id)).size).toBe(1)
      expect((await files().add(same('of another', 'other'))).id).toBe('of another')
    })

    it('expires a file that was never attached, later when it is uploaded again', async () => {
      for (const id of ['a', 'b', 'c']) await files().add(sampleFile(id))
      expect((await files().findDigest('owner', 'digest of b', uploaded(20)))?.id).toBe('b')
      expect((await files().add(sampleFile('again', { sha256: 'digest of c', expiresAt: second(30) }))).id).toBe('c')
      expect(await files().findDigest('owner', 'digest of none', uploaded(20))).toBeUndefined()
      expect(await left(10)).toEqual(['a', 'b', 'c'])
      expect(await left(11)).toEqual(['b', 'c'])
      expect(await left(21)).toEqual(['c'])
    })

    it('keeps a file that is uploaded again when its last chat is removed before it is sent, until chats are checked', async () => {
      for (const id of ['first', 'second']) await engine.stores.chats.add(sampleChat(id))
      for (const id of ['a', 'b']) await files().add(sampleFile(id))
      expect(await files().attach('first', 'owner', ['a', 'b'], second(0))).toBe(true)
      for (const id of ['a', 'b']) await files().findDigest('owner', `digest of ${id}`, uploaded(20))
      await engine.stores.chats.remove('owner', ['first'], second(2))
      await files().release(second(3), second(3))
      expect(await left(1_000)).toEqual(['a', 'b'])
      expect(await files().attach('second', 'owner', ['b'], second(4))).toBe(true)
      await files().confirm(second(1), second(50))
      expect(await left(1_000)).toEqual(['a', 'b'])
      await files().confirm(second(5), second(50))
      expect(await left(50)).toEqual(['a', 'b'])
      expect(await left(51)).toEqual(['b'])
    })

    // Another replica may purge those that were removed first: then a file of the others is released no more, and stays for good.
    it('detaches files from all removed chats, however many', async () => {
      const ids = Array.from({ length: 130 }, (_, nth) => `chat ${nth}`)
      await Promise.all(ids.map((id) => engine.stores.chats.add(sampleChat(id))))
      for (const id of ['a', 'b']) await files().add(sampleFile(id))
      await files().attach('chat 0', 'owner', ['a'], second(0))
      await files().attach('chat 129', 'owner', ['b'], second(0))
      await engine.stores.chats.remove('owner', ids.slice(0, 129), second(1))
      await engine.stores.chats.remove('owner', ids.slice(129), second(2))
      await files().release(second(3), second(50))
      expect(await left(51)).toEqual([])
    })

    it('lets no chat be restored whose files were released, however late a clock is', async () => {
      const { chats } = engine.replica
      for (const id of ['first', 'second']) {
        await chats.add(sampleChat(id))
        await files().add(sampleFile(id === 'first' ? 'a' : 'b'))
      }
      await files().attach('first', 'owner', ['a'], second(0))
      await files().attach('second', 'owner', ['b'], second(0))
      await chats.remove('owner', ['first', 'second'], second(10))
      expect(await chats.restore('second', 'owner', second(0))).toBe(true)
      await files().release(second(20), second(20))
      expect(await chats.restore('first', 'owner', second(0))).toBe(false)
      expect(await left(1_000)).toEqual(['b'])
      await chats.purge(second(20))
      expect((await chats.list('owner')).map(({ id }) => id)).toEqual(['second'])
    })

    it('keeps the files of a chat that is restored while they are to be released', async () => {
      const ids = Array.from({ length: 20 }, (_, nth) => `chat ${nth}`)
      await Promise.all(ids.map((id) => engine.stores.chats.add(sampleChat(id))))
      for (const id of ids) {
        await files().add(sampleFile(`file of ${id}`))
        await files().attach(id, 'owner', [`file of ${id}`], second(0))
      }
      await engine.stores.chats.remove('owner', ids, second(10))
      const restoring = ids.map((id) => engine.replica.chats.restore(id, 'owner', second(0)))
      const [restored] = await Promise.all([Promise.all(restoring), files().release(second(20), second(20))])
      await files().purge(second(1_000))
      const kept = ids.filter((_id, nth) => restored[nth]).map((id) => `file of ${id}`)
      expect(
        (
          await files().find(
            ids.map((id) => `file of ${id}`),
            'owner',
          )
        )
          .map(({ id }) => id)
          .sort(),
      ).toEqual(kept.sort())
    })

    it('keeps an attached file for as long as one of its chats exists', async () => {
      for (const id of ['first', 'second', 'third']) await engine.stores.chats.add(sampleChat(id))
      for (const id of ['a', 'b', 'c']) await files().add(sampleFile(id))
      expect(await files().attach('first', 'owner', ['a', 'b'], second(0))).toBe(true)
      expect(await files().attach('first', 'owner', ['a'], second(0))).toBe(true)
      expect(await files().attach('second', 'owner', ['b'], second(0))).toBe(true)
      expect(await files().attach('second', 'owner', ['b', 'none'], second(0))).toBe(false)
      expect(await left(1_000)).toEqual(['a', 'b'])
      await engine.stores.chats.remove('owner', ['first'], second(0))
      await files().release(second(0), second(50))
      expect(await left(1_000)).toEqual(['a', 'b'])
      await files().release(second(1), second(50))
      await files().release(second(1), second(60))
      expect(await left(50)).toEqual(['a', 'b'])
      expect(await left(51)).toEqual(['b'])
      await engine.stores.chats.remove('owner', ['second'], second(0))
      await files().release(second(1), second(70))
      expect(await files().attach('third', 'owner', ['b'], second(0))).toBe(true)
      expect(await left(1_000)).toEqual(['b'])
    })
  })
}
