import { type Event, eventSchema } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import {
  type ChatEngine,
  held,
  runOut,
  sampleChat,
  sampleEnding,
  sampleGeneration,
  sampleMessage,
  sampleProgress,
  second,
} from './samples.ts'

const finished = (id: string): Event =>
  eventSchema.parse({
    id: `event of ${id}`,
    type: 'chat.generation-finished',
    at: second(9).toISOString(),
    v: 1,
    key: id,
    data: {
      generationId: id,
      chatId: 'chat',
      userId: 'owner',
      model: 'v3',
      outcome: 'complete',
      charge: 1,
      usage: sampleEnding().usage,
    },
  })

/** Every sentence of the guarantees of answers being made, on one engine. */
export function generationStoreContract(name: string, engine: ChatEngine): void {
  describe(`generation store on ${name}`, () => {
    const generations = () => engine.stores.generations
    const finish = (id: string, owner: string, event?: Event) =>
      generations().finish(id, owner, sampleProgress(), sampleEnding(), event)

    it('begins an answer once for concurrent replicas', async () => {
      const tries = Array.from({ length: 20 }, (_, nth) =>
        (nth % 2 ? engine.replica : engine.stores).generations.begin(sampleGeneration('g'), held(`r${nth}`)),
      )
      expect((await Promise.all(tries)).filter((begun) => begun === 'begun')).toHaveLength(1)
      const { leaseOwner: _owner, ...begun } = (await generations().find('g', 'owner')) ?? {}
      const nothingYet = {
        status: 'generating',
        stop: null,
        content: '',
        reasoning: '',
        frames: [],
        events: [],
        search: null,
        attachments: [],
        promptTokens: 0,
        reasoningMs: 0,
        ending: null,
      }
      expect(begun).toEqual({ ...sampleGeneration('g'), ...nothingYet })
      expect(await generations().find('g', 'other')).toBeUndefined()
      expect(await generations().find('h', 'owner')).toBeUndefined()
    })

    it('begins an answer with its question and its chat, all or nothing', async () => {
      const answered = sampleGeneration('g', { parentId: 'q', createdAt: second(1) })
      const turn = { newChat: sampleChat('chat'), message: sampleMessage('q'), follows: null }
      expect(await generations().begin(answered, held('r'), turn)).toBe('begun')
      expect(await engine.stores.chats.find('chat', 'owner')).toEqual(
        sampleChat('chat', { leafId: 'g', messageCount: 2 }),
      )
      const path = await engine.stores.messages.path('chat', 'shown', 5)
      expect(path.map(({ id }) => id)).toEqual(['g', 'q'])
      const again = { ...turn, newChat: sampleChat('chat', { title: 'Another' }) }
      expect(await generations().begin(answered, held('s'), again)).toBe('exists')
      const lost = { message: sampleMessage('lost', { chatId: 'missing' }) }
      expect(await generations().begin(sampleGeneration('h', { chatId: 'missing' }), held('r'), lost)).toBe('gone')
      expect(await engine.stores.messages.find('missing', 'lost')).toBeUndefined()
    })

    it('begins one answer of a chat at a time, whose question follows the last message shown', async () => {
      await engine.stores.chats.add(sampleChat('chat'))
      const ask = (nth: number, follows: string | null) =>
        (nth % 2 ? engine.replica : engine.stores).generations.begin(
          sampleGeneration(`g${nth}`, { parentId: `q${nth}`, createdAt: second(nth + 0.5) }),
          held('r'),
          { message: sampleMessage(`q${nth}`, { parentId: follows, createdAt: second(nth) }), follows },
        )
      const atOnce = await Promise.all(Array.from({ length: 10 }, (_, nth) => ask(nth, null)))
      expect(atOnce.filter((begun) => begun === 'begun')).toHaveLength(1)
      expect(atOnce.filter((begun) => begun === 'busy')).toHaveLength(9)
      const first = `g${atOnce.indexOf('begun')}`
      expect(await engine.stores.messages.path('chat', 'shown', 50)).toHaveLength(2)
      await finish(first, 'r')
      expect(await ask(20, null)).toBe('moved')
      expect(await engine.stores.messages.find('chat', 'q20')).toBeUndefined()
      expect(await ask(20, first)).toBe('begun')
      await finish('g20', 'r')
      // A question that is kept already goes nowhere else, and an edited one may follow any.
      expect(await generations().begin(sampleGeneration('again', { parentId: 'q20' }), held('r'), {})).toBe('begun')
      await finish('again', 'r')
      const edited = { message: sampleMessage('edited', { parentId: first, createdAt: second(30) }) }
      expect(await generations().begin(sampleGeneration('e', { parentId: 'edited' }), held('r'), edited)).toBe('begun')
    })

    it('saves progress for the owner of the lease only', async () => {
      await generations().begin(sampleGeneration('g'), held('r'))
      expect(await generations().checkpoint('g', held('r'), sampleProgress())).toEqual({ stop: null })
      expect(await generations().checkpoint('g', held('r'))).toEqual({ stop: null })
      expect(await generations().checkpoint('g', held('s'), sampleProgress({ content: 'Other' }))).toBeUndefined()
      expect(await generations().checkpoint('h', held('r'))).toBeUndefined()
      expect(await generations().find('g', 'owner')).toMatchObject({
        ...sampleProgress(),
        guest: null,
        status: 'generating',
      })
    })

    it('ends an answer once, with its event, for the owner of the lease only', async () => {
      await generations().begin(sampleGeneration('g'), held('r'))
      expect(await finish('g', 's', finished('g'))).toBe(false)
      const tries = [1, 2, 3, 4].map(() => finish('g', 'r', finished('g')))
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
      expect(await generations().find('g', 'owner')).toMatchObject({
        ...sampleProgress(),
        status: 'complete',
        ending: sampleEnding(),
      })
      expect(await engine.replica.outbox.pending(10)).toEqual([finished('g')])
      expect(await generations().checkpoint('g', held('r'))).toBeUndefined()
      expect(await generations().requestStop({ id: 'g', ownerId: 'owner' }, 'user')).toEqual([])
      await engine.stores.outbox.published([finished('g').id])
      expect(await engine.replica.outbox.pending(10)).toEqual([])
    })

    it.each([
      ['complete', 'complete'],
      ['stopped', 'complete'],
      ['interrupted', 'interrupted'],
      ['error', 'error'],
    ] as const)('that ended as %s has the status %s', async (outcome, status) => {
      await generations().begin(sampleGeneration('g'), held('r'))
      await generations().finish('g', 'r', sampleProgress(), sampleEnding({ outcome }), undefined)
      expect((await generations().find('g', 'owner'))?.status).toBe(status)
      expect(await engine.stores.outbox.pending(10)).toEqual([])
    })

    it('returns a requested stop at the next checkpoint, with its first reason', async () => {
      for (const id of ['a', 'b', 'c'])
        await generations().begin(sampleGeneration(id, { chatId: `chat ${id}` }), held('r'))
      expect(await generations().requestStop({ id: 'a', ownerId: 'other' }, 'user')).toEqual([])
      expect(await generations().requestStop({ id: 'a', ownerId: 'owner' }, 'user')).toEqual(['a'])
      expect(await generations().requestStop({ chatIds: ['chat a', 'chat b'] }, 'banned')).toHaveLength(2)
      expect(await generations().checkpoint('a', held('r'))).toEqual({ stop: 'user' })
      expect(await generations().checkpoint('b', held('r'))).toEqual({ stop: 'banned' })
      expect(await generations().checkpoint('c', held('r'))).toEqual({ stop: null })
    })

    it('stops all answers of an owner that were begun by a time', async () => {
      await generations().begin(sampleGeneration('early'), held('r'))
      await generations().begin(sampleGeneration('late', { createdAt: second(10) }), held('r'))
      await generations().begin(sampleGeneration('foreign', { ownerId: 'other' }), held('r'))
      expect(await generations().requestStop({ ownerId: 'owner', until: second(5) }, 'banned')).toEqual(['early'])
    })

    it('corrects the credits of an answer that ended', async () => {
      await generations().begin(sampleGeneration('g'), held('r'))
      await generations().noteSettled('g', { charged: 7, remaining: 7 })
      expect((await generations().find('g', 'owner'))?.ending).toBeNull()
      await finish('g', 'r')
      await generations().noteSettled('g', { charged: 0, remaining: 42 })
      expect((await generations().find('g', 'owner'))?.ending).toEqual(
        sampleEnding({ credits: { charged: 0, remaining: 42 } }),
      )
    })
  })
}

/** Every sentence of the guarantees of putting things right after a death, on one engine. */
export function abandonedStoreContract(name: string, engine: ChatEngine): void {
  describe(`abandoned store on ${name}`, () => {
    const guest = { sessionId: 'guest', network: 'net' }
    const generations = () => engine.stores.generations

    it('gives each answer whose lease has run out to one new owner', async () => {
      await generations().begin(sampleGeneration('alive'), held('r'))
      await generations().begin(sampleGeneration('a'), runOut('r'))
      await generations().begin(sampleGeneration('b'), held('r'))
      await generations().checkpoint('b', runOut('r'), sampleProgress())
      const takers = Array.from({ length: 10 }, (_, nth) =>
        (nth % 2 ? engine.replica : engine.stores).abandoned.takeOver(held(`taker ${nth}`)),
      )
      const taken = (await Promise.all(takers)).flatMap((generation) => generation ?? [])
      expect(taken.map(({ id }) => id).sort()).toEqual(['a', 'b'])
      expect(taken.find(({ id }) => id === 'b')).toMatchObject(sampleProgress())
      for (const { id, leaseOwner } of taken) {
        expect(await generations().checkpoint(id, held('r'))).toBeUndefined()
        expect(await generations().finish(id, 'r', sampleProgress(), sampleEnding(), undefined)).toBe(false)
        expect(await generations().finish(id, leaseOwner ?? '', sampleProgress(), sampleEnding(), undefined)).toBe(true)
      }
      expect(await engine.stores.abandoned.takeOver(held('x'))).toBeUndefined()
    })

    it('leaves answers whose leases have run out to their owner while it lives, and gives them to others once it does not', async () => {
      const { abandoned } = engine.stores
      for (const id of ['a', 'b']) await generations().begin(sampleGeneration(id), runOut('r'))
      await abandoned.keepAlive(runOut('r'))
      await abandoned.keepAlive(held('r'))
      expect(await engine.replica.abandoned.takeOver(held('s'))).toBeUndefined()
      const own = await abandoned.takeOver(held('r'))
      expect(own).toMatchObject({ leaseOwner: 'r' })
      await engine.replica.abandoned.keepAlive(runOut('r'))
      expect((await engine.replica.abandoned.takeOver(held('s')))?.id).toBe(own?.id === 'a' ? 'b' : 'a')
      expect(await engine.replica.abandoned.takeOver(held('s'))).toBeUndefined()
    })

    it('gives every answer that is generating to a new owner once leases are ended, and an ended answer to nobody', async () => {
      await engine.stores.abandoned.keepAlive(held('r'))
      await generations().begin(sampleGeneration('left'), held('r'))
      await generations().begin(sampleGeneration('over'), held('r'))
      await generations().finish('over', 'r', sampleProgress(), sampleEnding(), undefined)
      const { abandoned } = engine.stores
      expect(await abandoned.takeOver(held('next'))).toBeUndefined()
      await abandoned.endLeases()
      expect(await abandoned.takeOver(held('next'))).toMatchObject({ id: 'left', leaseOwner: 'next' })
      expect(await abandoned.takeOver(held('next'))).toBeUndefined()
    })

    it('finds guests’ answers that ended and are not settled', async () => {
      for (const id of ['open', 'running', 'settled', 'late']) {
        const createdAt = second(id === 'late' ? 100 : 0)
        await generations().begin(sampleGeneration(id, { guest, createdAt }), held('r'))
      }
      await generations().begin(sampleGeneration('of a user'), held('r'))
      for (const id of ['open', 'settled', 'late', 'of a user']) {
        await generations().finish(id, 'r', sampleProgress(), sampleEnding(), undefined)
      }
      await generations().noteSettled('settled', sampleEnding().credits)
      const unsettled = await engine.stores.abandoned.unsettled(second(50))
      expect(unsettled).toMatchObject([{ id: 'open', guest, ending: sampleEnding() }])
    })

    it('forgets guests’ answers once they expired, ended and are settled', async () => {
      const expiring = { guest, expiresAt: second(10) }
      for (const id of ['settled', 'open', 'running'])
        await generations().begin(sampleGeneration(id, expiring), held('r'))
      await generations().begin(sampleGeneration('of a user'), held('r'))
      for (const id of ['settled', 'open', 'of a user']) {
        await generations().finish(id, 'r', sampleProgress(), sampleEnding(), undefined)
      }
      await generations().noteSettled('settled', sampleEnding().credits)
      const left = async () => {
        const all = ['settled', 'open', 'running', 'of a user']
        const found = await Promise.all(all.map(async (id) => ((await generations().find(id, 'owner')) ? id : [])))
        return found.flat()
      }
      await engine.stores.abandoned.purgeExpired(second(10))
      expect(await left()).toHaveLength(4)
      await engine.stores.abandoned.purgeExpired(second(11))
      expect(await left()).toEqual(['open', 'running', 'of a user'])
    })
  })
}
