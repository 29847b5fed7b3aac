import { type Event, eventSchema } from '@parley/contracts'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Continued, Ending, NewGeneration } from '../../src/store/entities.ts'
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
    ...{ id: `event of ${id}`, type: 'chat.generation-finished', at: second(9).toISOString(), v: 1, key: id },
    data: {
      ...{ generationId: id, chatId: 'chat', userId: 'owner', model: 'v3', outcome: 'complete', charge: 1 },
      usage: sampleEnding().usage,
    },
  })

const cutShort: Partial<Ending> = { finishReason: 'length' }

/** The generation `id` that continues the answer `answer` after those before. */
const going = (id: string, answer = 'g', more: Partial<Continued> = {}, parts: Partial<NewGeneration> = {}) =>
  sampleGeneration(answer, {
    parentId: 'q',
    ...parts,
    continued: {
      ...{ id, begunAt: second(5).toISOString(), status: 'complete', model: 'fallback' },
      from: { content: 8, reasoning: 3, events: 1, reasoningMs: 700 },
      earlier: [{ id: answer, model: 'fallback', ending: sampleEnding(cutShort) }],
      ...more,
    },
  })

/** Every sentence of the guarantees of answers that are continued, on one engine. */
export function continuedStoreContract(name: string, engine: ChatEngine): void {
  describe(`answers that are continued, on ${name}`, () => {
    const generations = () => engine.stores.generations
    const more = sampleProgress({ content: 'Grüße 😀 an alle', frames: [-3, 0, 8, 8] })
    const latest = async () => (await engine.stores.messages.path('chat', 'shown', 1))[0]
    const bytes = async () => (await engine.stores.usage.of('owner')).bytes
    beforeEach(async () => {
      const turn = { newChat: sampleChat('chat'), message: sampleMessage('q', { content: '' }), follows: null }
      await generations().begin(sampleGeneration('g', { parentId: 'q', createdAt: second(1) }), held('r'), turn)
      await generations().finish('g', 'r', sampleProgress(), sampleEnding(cutShort), finished('g'))
    })

    it('are reopened by one of many concurrent replicas, with their text', async () => {
      const tries = Array.from({ length: 10 }, (_, nth) =>
        (nth % 2 ? engine.replica : engine.stores).generations.begin(going(`g${nth}`), held('s'), {}),
      )
      const begun = await Promise.all(tries)
      expect(begun.filter((each) => each === 'begun')).toHaveLength(1)
      expect(begun.filter((each) => each === 'busy')).toHaveLength(9)
      const id = `g${begun.indexOf('begun')}`
      expect(await generations().begin(going(id), held('s'), {})).toBe('exists')
      const answer = { id: 'g', status: 'generating', content: 'Grüße 😀', ending: null, leaseOwner: 's' }
      for (const each of ['g', id]) expect(await generations().find(each, 'owner')).toMatchObject(answer)
      expect(await generations().find(id, 'other')).toBeUndefined()
      expect(await latest()).toMatchObject({ id: 'g', status: 'generating', generationId: id, versions: ['g'] })
      expect(await engine.stores.chats.find('chat', 'owner')).toMatchObject({ leafId: 'g', messageCount: 2 })
    })

    it('end as one text with both endings and both events, and are counted with all their bytes', async () => {
      const before = await bytes()
      await generations().begin(going('next'), held('s'), {})
      expect(await generations().checkpoint('g', held('r'), sampleProgress())).toBeUndefined()
      expect(await generations().checkpoint('g', held('s'), more)).toEqual({ stop: null })
      expect(await bytes()).toBe(before - Buffer.byteLength('Grüße 😀why'))
      expect(await generations().finish('g', 's', more, sampleEnding(), finished('next'))).toBe(true)
      expect(await bytes()).toBe(before + ' an alle'.length)
      expect(await latest()).toMatchObject({
        ...{ id: 'g', status: 'complete', content: 'Grüße 😀 an alle' },
        ending: { finishReason: 'stop', credits: { charged: 2 }, usage: { inputTokens: 10, outputTokens: 6 } },
        generations: [{ id: 'g' }, { id: 'next' }],
      })
      expect((await engine.stores.messages.outline('chat')).at(-1)?.usage).toMatchObject({ inputTokens: 10 })
      expect(await generations().find('g', 'owner')).toMatchObject({ ending: { finishReason: 'stop' } })
      expect(await engine.replica.outbox.pending(10)).toEqual([finished('g'), finished('next')])
      await engine.stores.outbox.published(['event of g', 'event of next'])
      expect(await engine.replica.outbox.pending(10)).toEqual([])
    })

    it('are unchanged if the continuation yields nothing', async () => {
      await generations().begin(going('next'), held('s'), {})
      const ending = sampleEnding({ outcome: 'error', unchanged: 'complete', credits: { charged: 0, remaining: 9 } })
      await generations().finish('g', 's', sampleProgress(), ending, undefined)
      expect(await latest()).toMatchObject({
        ...{ status: 'complete', content: 'Grüße 😀', model: 'fallback' },
        ending: { finishReason: 'length', outcome: 'complete', credits: { charged: 1 } },
        generations: [{ id: 'g' }],
      })
      const earlier = [...(going('next').continued?.earlier ?? []), { id: 'next', model: 'v3', ending }]
      expect(await generations().begin(going('third', 'g', { earlier }), held('s'), {})).toBe('begun')
      expect(await generations().find('next', 'owner')).toMatchObject({ ending: { outcome: 'error' } })
    })

    it('are the last message shown, and continued after their latest generation', async () => {
      expect(await generations().begin(going('x', 'missing'), held('s'), {})).toBe('gone')
      const unknown = [{ id: 'unknown', model: 'v3', ending: sampleEnding() }]
      expect(await generations().begin(going('x', 'g', { earlier: unknown }), held('s'), {})).toBe('moved')
      const follows = { message: sampleMessage('q2', { parentId: 'g', createdAt: second(2) }), follows: 'g' }
      const other = sampleGeneration('other', { parentId: 'q2', createdAt: second(3) })
      expect(await generations().begin(other, held('r'), follows)).toBe('begun')
      expect(await generations().begin(going('x'), held('s'), {})).toBe('busy')
      await generations().finish('other', 'r', sampleProgress(), sampleEnding(), undefined)
      expect(await generations().begin(going('x'), held('s'), {})).toBe('moved')
      expect(await latest()).toMatchObject({ id: 'other' })
    })

    it('keep a chat busy, are stopped by their id, and taken over from a replica that died', async () => {
      await generations().begin(going('next'), runOut('s'), {})
      const ask = { message: sampleMessage('q2', { parentId: 'g', createdAt: second(2) }), follows: 'g' }
      expect(await generations().begin(sampleGeneration('other'), held('r'), ask)).toBe('busy')
      expect(await generations().requestStop({ id: 'g', ownerId: 'owner' }, 'user')).toEqual(['g'])
      const taken = await engine.replica.abandoned.takeOver(held('sweeper'))
      expect(taken).toMatchObject({ id: 'g', content: 'Grüße 😀', stop: 'user', continued: going('next').continued })
    })

    it('are settled per generation: a late settlement of the one before changes nothing', async () => {
      await generations().begin(going('next'), held('s'), {})
      await generations().finish('g', 's', more, sampleEnding(), undefined)
      await generations().noteSettled('g', { charged: 3, remaining: 7 }, 'next')
      await generations().noteSettled('g', { charged: 50, remaining: 0 }, 'g')
      expect((await latest())?.ending?.credits).toEqual({ charged: 4, remaining: 7 })
    })

    it("may be a guest's, which are in no chat", async () => {
      const parts = {
        chatId: 'none',
        guest: { sessionId: 's', network: 'n' },
        expiresAt: second(90),
        ownerId: 'guest:s',
      }
      await generations().begin(sampleGeneration('own', parts), held('r'))
      await generations().finish('own', 'r', sampleProgress(), sampleEnding(cutShort), undefined)
      const next = () => generations().begin(going('more', 'own', {}, parts), held('s'))
      expect(await next()).toBe('begun')
      expect(await next()).toBe('exists')
      expect(await generations().begin(going('else', 'own', {}, parts), held('s'))).toBe('busy')
      await generations().finish('own', 's', more, sampleEnding(), undefined)
      expect(await generations().find('more', 'guest:s')).toMatchObject({ id: 'own', content: 'Grüße 😀 an alle' })
      await generations().noteSettled('own', sampleEnding().credits, 'more')
      expect(await engine.stores.abandoned.unsettled(second(99))).toEqual([])
    })
  })
}
