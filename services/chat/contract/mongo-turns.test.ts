import { eventOf } from '@parley/bus'
import { type MongoOutbox, openMongo } from '@parley/db/mongo'
import { createLogger } from '@parley/kit'
import { onEngine, testMongoUrl } from '@parley/testing/test-engines'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChatStores } from '../src/store/index.ts'
import { createMongoGenerationStore } from '../src/store/mongo/generations.ts'
import { type ChatModels, createChatModels } from '../src/store/mongo/models.ts'
import { openMongoChatStores } from '../src/store/mongo/open-stores.ts'
import { createMongoTurns } from '../src/store/mongo/turns.ts'
import { dropMongo } from './chat-engines.ts'
import {
  held,
  runOut,
  sampleChat,
  sampleEnding,
  sampleGeneration,
  sampleMessage,
  sampleProgress,
  second,
} from './suites/samples.ts'

const log = createLogger('chat-contract', 'silent')
const answer = sampleGeneration('g', { parentId: 'q', createdAt: second(1) })
const turn = { newChat: sampleChat('chat'), message: sampleMessage('q'), follows: null }
const next = { message: sampleMessage('q2', { parentId: 'g', createdAt: second(2) }), follows: 'g' }

const finished = eventOf(
  'chat.generation-finished',
  'g',
  {
    generationId: 'g',
    chatId: 'chat',
    userId: 'owner',
    model: 'v3',
    outcome: 'complete',
    charge: 1,
    usage: sampleEnding().usage,
  },
  { id: 'event of g', at: second(9) },
)

onEngine('mongo', () => {
  describe('a turn on MongoDB', () => {
    let url: string
    let stores: ChatStores
    let replica: ChatStores
    const ends: (() => Promise<void>)[] = []
    beforeEach(async () => {
      // Twenty at once share a pool: on a crowded machine the last of them waits longer for a connection than a service would.
      const address = new URL(testMongoUrl())
      address.searchParams.set('waitQueueTimeoutMS', '20000')
      url = address.href
      stores = openMongoChatStores({ url, log })
      replica = openMongoChatStores({ url, log })
      await stores.migrate()
    })
    afterEach(async () => {
      for (const end of ends.splice(0)) await end()
      await Promise.all([stores.close(), replica.close()])
      await dropMongo(url)
    })

    /** A replica whose calls go through `between`, which may fail or wait as if its process had died or stood still. */
    const openFaulty = (between: (call: string) => Promise<void>) => {
      const database = openMongo({ url, log })
      ends.push(() => database.close())
      const models = createChatModels(database.connection)
      const faulty = {
        ...models,
        chats: interrupted(models.chats, (call) => between(`chats.${call}`)),
        messages: interrupted(models.messages, (call) => between(`messages.${call}`)),
      }
      const outbox = { written: () => undefined } as unknown as MongoOutbox
      return createMongoGenerationStore({ models: faulty, turns: createMongoTurns(faulty), database, outbox })
    }
    const dieAt = (call: string, nth = 1) => {
      let seen = 0
      return openFaulty(async (called) => {
        if (called !== call) return
        seen += 1
        if (seen >= nth) throw new Error('killed')
      })
    }
    const openPaused = (call: string) => {
      const stands = Promise.withResolvers<void>()
      const gate = Promise.withResolvers<void>()
      const generations = openFaulty(async (called) => {
        if (called !== call) return
        stands.resolve()
        await gate.promise
      })
      return { stands: stands.promise, resume: gate.resolve, generations }
    }
    const thread = async () => (await replica.messages.path('chat', 'shown', 9)).map(({ id }) => id)

    const deaths = [
      ['before anything of it is a message', 'messages.insertOne', 1],
      ['between its answer and its question', 'messages.insertOne', 2],
      ['before the chat is done with it', 'chats.updateOne', 1],
    ] as const
    describe.each(deaths)('by a process that dies %s', (_when, call, nth) => {
      const meetings: Readonly<Record<string, () => Promise<void>>> = {
        async 'who reads the thread'() {
          expect(await thread()).toEqual(['g', 'q'])
        },
        async 'who looks for the answer'() {
          expect(await replica.generations.find('g', 'owner')).toMatchObject({ status: 'generating', content: '' })
        },
        async 'who looks for the question'() {
          expect(await replica.messages.find('chat', 'q')).toMatchObject({ content: 'Content of q' })
        },
        async 'who begins it again'() {
          expect(await replica.generations.begin(answer, held('s'), turn)).toBe('exists')
        },
        async 'who begins another'() {
          expect(await replica.generations.begin(sampleGeneration('g2'), held('s'), next)).toBe('busy')
        },
        async 'who stops it'() {
          expect(await replica.generations.requestStop({ id: 'g', ownerId: 'owner' }, 'user')).toEqual(['g'])
        },
        async 'who stops all of the chat'() {
          expect(await replica.generations.requestStop({ chatIds: ['chat'] }, 'user')).toEqual(['g'])
        },
        async 'who stops all of the owner'() {
          const all = { ownerId: 'owner', until: second(9) }
          expect(await replica.generations.requestStop(all, 'banned')).toEqual(['g'])
        },
        async 'the sweeper'() {
          expect(await replica.abandoned.takeOver(held('s'))).toMatchObject({ id: 'g', leaseOwner: 's' })
        },
      }
      it.each(Object.keys(meetings))('is completed by %s', async (who) => {
        await expect(dieAt(call, nth).begin(answer, runOut('r'), turn)).rejects.toThrow('killed')
        await meetings[who]?.()
        expect(await thread()).toEqual(['g', 'q'])
        const taken = await replica.abandoned.takeOver(held('s'))
        await replica.generations.finish('g', taken?.leaseOwner ?? 's', sampleProgress(), sampleEnding(), undefined)
        expect(await replica.generations.begin(sampleGeneration('g2', { parentId: 'q2' }), held('s'), next)).toBe(
          'begun',
        )
      })
    })

    it('leaves nothing when the process dies before the chat’s document is changed', async () => {
      await expect(dieAt('chats.insertOne').begin(answer, held('r'), turn)).rejects.toThrow('killed')
      expect(await replica.chats.find('chat', 'owner')).toBeUndefined()
      expect(await replica.messages.find('chat', 'q')).toBeUndefined()
      expect(await replica.generations.begin(answer, held('s'), turn)).toBe('begun')
    })

    it('by many replicas under the same ids is begun once', async () => {
      const tries = Array.from({ length: 20 }, (_, nth) =>
        (nth % 2 ? replica : stores).generations.begin(answer, held(`r${nth}`), turn),
      )
      expect((await Promise.all(tries)).sort()).toEqual(['begun', ...Array.from({ length: 19 }, () => 'exists')])
      expect(await thread()).toEqual(['g', 'q'])
    })

    it('while its chat is removed is either refused or stopped', async () => {
      const race = async (nth: number): Promise<string | null> => {
        const chatId = `chat ${nth}`
        await stores.chats.add(sampleChat(chatId))
        const remove = async (): Promise<void> => {
          const removed = await replica.chats.remove('owner', [chatId], second(9))
          await replica.generations.requestStop({ chatIds: removed }, 'user')
        }
        const message = sampleMessage(`q${nth}`, { chatId })
        const made = sampleGeneration(`g${nth}`, { chatId })
        const [begun] = await Promise.all([stores.generations.begin(made, held('r'), { message }), remove()])
        return begun === 'begun' ? ((await stores.generations.find(`g${nth}`, 'owner'))?.stop ?? 'runs on') : begun
      }
      const outcomes = await Promise.all(Array.from({ length: 20 }, (_, nth) => race(nth)))
      expect(outcomes.filter((outcome) => outcome !== 'gone' && outcome !== 'user')).toEqual([])
    })

    it.each([
      ['busy', false],
      ['moved', true],
    ] as const)(
      'by a replica that was paused is %s when another replica began first, which had ended: %s',
      async (told, isEnded) => {
        await stores.chats.add(sampleChat('chat'))
        const { stands, resume, generations } = openPaused('chats.updateOne')
        const late = generations.begin(answer, held('r'), { message: turn.message, follows: null })
        await stands
        const other = { message: sampleMessage('q2', { createdAt: second(2) }), follows: null }
        const begun = sampleGeneration('g2', { parentId: 'q2', createdAt: second(3) })
        expect(await replica.generations.begin(begun, held('s'), other)).toBe('begun')
        if (isEnded) await replica.generations.finish('g2', 's', sampleProgress(), sampleEnding(), undefined)
        resume()
        expect(await late).toBe(told)
        expect(await thread()).toEqual(['g2', 'q2'])
      },
    )

    it('by a replica that was paused is refused when its chat was removed', async () => {
      await stores.chats.add(sampleChat('chat'))
      const { stands, resume, generations } = openPaused('chats.updateOne')
      const late = generations.begin(answer, held('r'), { message: turn.message })
      await stands
      expect(await replica.chats.remove('owner', ['chat'], second(9))).toEqual(['chat'])
      resume()
      expect(await late).toBe('gone')
      expect(await stores.messages.find('chat', 'q')).toBeUndefined()
    })

    it('does not come back when the replica that completes it was paused until the turn was deleted', async () => {
      const { stands, resume, generations } = openPaused('messages.insertOne')
      const begun = generations.begin(answer, held('r'), turn)
      await stands
      expect(await thread()).toEqual(['g', 'q'])
      await replica.generations.finish('g', 'r', sampleProgress(), sampleEnding(), undefined)
      await replica.chats.remove('owner', ['chat'], second(10))
      await replica.chats.purge(second(20))
      expect(await replica.messages.find('chat', 'g')).toBeUndefined()
      resume()
      await begun
      expect(await replica.messages.find('chat', 'g')).toBeUndefined()
      expect(await replica.messages.find('chat', 'q')).toBeUndefined()
    })

    it('is kept until its event is published, though its chat was removed long ago', async () => {
      expect(await stores.generations.begin(answer, held('r'), turn)).toBe('begun')
      await stores.generations.finish('g', 'r', sampleProgress(), sampleEnding(), finished)
      await stores.chats.remove('owner', ['chat'], second(10))
      await stores.chats.purge(second(20))
      expect(await replica.outbox.pending(9)).toEqual([finished])
      await replica.outbox.published([finished.id])
      await stores.chats.purge(second(20))
      expect(await stores.messages.find('chat', 'g')).toBeUndefined()
    })

    it('of a guest is kept until its event is published, though it expired', async () => {
      const guest = { sessionId: 'guest', network: 'net' }
      await stores.generations.begin({ ...answer, guest, expiresAt: second(10) }, held('r'))
      await stores.generations.finish('g', 'r', sampleProgress(), sampleEnding(), finished)
      await stores.generations.noteSettled('g', { charged: 0, remaining: 0 })
      await stores.abandoned.purgeExpired(second(20))
      expect(await replica.outbox.pending(9)).toEqual([finished])
      await replica.outbox.published([finished.id])
      await stores.abandoned.purgeExpired(second(20))
      expect(await stores.generations.find('g', 'owner')).toBeUndefined()
    })

    it('is deleted with its chat and once it expired, although a relay that died left its empty outbox', async () => {
      const guest = { sessionId: 'guest', network: 'net' }
      await stores.generations.begin(answer, held('r'), turn)
      await stores.generations.begin(sampleGeneration('h', { guest, expiresAt: second(10) }), held('r'))
      for (const id of ['g', 'h']) await stores.generations.finish(id, 'r', sampleProgress(), sampleEnding(), undefined)
      await stores.generations.noteSettled('h', { charged: 0, remaining: 0 })
      const database = openMongo({ url, log })
      ends.push(() => database.close())
      const { messages } = createChatModels(database.connection)
      await messages.updateMany({ _id: { $in: ['g', 'h'] } }, { $set: { outbox: [], outboxAt: second(9) } })
      await stores.chats.remove('owner', ['chat'], second(10))
      await stores.chats.purge(second(20))
      await stores.abandoned.purgeExpired(second(20))
      expect(await messages.distinct('_id')).toEqual([])
    })

    it('whose checkpoint cannot be saved fails none of those saved with it', async () => {
      for (const id of ['good', 'bad']) await stores.generations.begin(sampleGeneration(id), held('r'))
      const tooLarge = sampleProgress({ content: 'x'.repeat(17 * 1024 * 1024) })
      const [good, bad] = await Promise.allSettled([
        stores.generations.checkpoint('good', held('r'), sampleProgress()),
        stores.generations.checkpoint('bad', held('r'), tooLarge),
      ])
      expect(good).toEqual({ status: 'fulfilled', value: { stop: null } })
      expect(bad.status).toBe('rejected')
      expect(await replica.generations.find('good', 'owner')).toMatchObject(sampleProgress())
    })

    it('keeps its lease whatever the clocks of the replicas say', async () => {
      for (const minutes of [-5, 5]) {
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })
        try {
          const skewed = openMongoChatStores({ url, log })
          ends.push(() => skewed.close())
          await stores.generations.begin(sampleGeneration(`held ${minutes}`), held('r'))
          expect(await skewed.abandoned.takeOver(held('s'))).toBeUndefined()
          await skewed.generations.begin(sampleGeneration(`run out ${minutes}`), runOut('r'))
          expect(await replica.abandoned.takeOver(held('s'))).toMatchObject({ id: `run out ${minutes}` })
        } finally {
          vi.useRealTimers()
        }
      }
    })
  })
})

/** A model each of whose methods first waits for `before`. */
function interrupted<M extends ChatModels[keyof ChatModels]>(model: M, before: (call: string) => Promise<void>): M {
  const writes = new Set(['insertOne', 'updateOne'])
  return new Proxy(model, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      if (!writes.has(String(name))) return member.bind(target)
      return async (...args: unknown[]) => {
        await before(String(name))
        return await member.apply(target, args)
      }
    },
  })
}
