import { describe, expect, it } from 'vitest'
import { type ChatEngine, sampleSend, second } from './samples.ts'

/** Every sentence of the send store's guarantees, on one engine. */
export function sendStoreContract(name: string, engine: ChatEngine): void {
  describe(`send store on ${name}`, () => {
    const sends = () => engine.stores.sends

    it.each(['clientMessageId', 'idempotencyKey'] as const)('lets one of many claim a %s', async (key) => {
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, nth) =>
          (nth % 2 ? engine.replica : engine.stores).sends.claim(sampleSend(`s${nth}`, { [key]: 'the key' })),
        ),
      )
      const [winner, ...others] = claims.filter(({ claimed }) => claimed)
      expect(others).toEqual([])
      for (const { send } of claims) expect(send).toEqual(winner?.send)
    })

    it('separates the keys of owners, and the two kinds of keys', async () => {
      const first = sampleSend('a', { clientMessageId: 'k', parentId: 'p' })
      expect(await sends().claim(first)).toEqual({ claimed: true, send: first })
      expect((await sends().claim(sampleSend('b', { clientMessageId: 'k', ownerId: 'other' }))).claimed).toBe(true)
      expect((await sends().claim(sampleSend('c', { idempotencyKey: 'k' }))).claimed).toBe(true)
      expect(await sends().claim(sampleSend('d', { clientMessageId: 'k' }))).toEqual({ claimed: false, send: first })
    })

    it('returns the send of the clientMessageId when the two keys stand for different sends', async () => {
      const client = sampleSend('client', { clientMessageId: 'c' })
      await sends().claim(sampleSend('key', { idempotencyKey: 'i' }))
      await sends().claim(client)
      const both = sampleSend('both', { clientMessageId: 'c', idempotencyKey: 'i' })
      expect(await sends().claim(both)).toEqual({ claimed: false, send: client })
      expect(await sends().find(both)).toEqual(client)
    })

    it('finds a send by its owner and either of its keys', async () => {
      const send = sampleSend('a', { clientMessageId: 'k' })
      const other = sampleSend('b', { idempotencyKey: 'i' })
      await sends().claim(send)
      await sends().claim(other)
      await sends().retry('a', send.messageId, 'retry')
      const keys = { ownerId: 'owner', clientMessageId: null, idempotencyKey: null }
      const retried = { ...send, messageId: 'retry' }
      expect(await engine.replica.sends.find({ ...keys, clientMessageId: 'k' })).toEqual(retried)
      expect(await sends().find({ ...keys, clientMessageId: 'another', idempotencyKey: 'i' })).toEqual(other)
      expect(await sends().find({ ...keys, clientMessageId: 'k', ownerId: 'other' })).toBeUndefined()
      expect(await sends().find({ ...keys, clientMessageId: 'i', idempotencyKey: 'k' })).toBeUndefined()
      expect(await sends().find(keys)).toBeUndefined()
    })

    it('replaces a failed answer for one of many concurrent callers', async () => {
      const send = sampleSend('a', { clientMessageId: 'k' })
      await sends().claim(send)
      const retries = Array.from({ length: 10 }, (_, nth) => sends().retry('a', send.messageId, `retry ${nth}`))
      expect((await Promise.all(retries)).filter(Boolean)).toHaveLength(1)
      expect((await sends().claim(send)).send.messageId).toMatch(/^retry/)
    })

    it('removes old sends and frees their keys', async () => {
      await sends().claim(sampleSend('old', { clientMessageId: 'k' }))
      await sends().claim(sampleSend('new', { clientMessageId: 'l', createdAt: second(10) }))
      await sends().purge(second(10))
      expect((await sends().claim(sampleSend('again', { clientMessageId: 'k' }))).claimed).toBe(true)
      expect((await sends().claim(sampleSend('again 2', { clientMessageId: 'l' }))).claimed).toBe(false)
    })
  })
}
