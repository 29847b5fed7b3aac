import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type ChatEngine,
  held,
  type OpenChatEngine,
  sampleEnding,
  sampleGeneration,
  sampleMessage,
  sampleProgress,
  second,
} from './store-samples.contract.ts'

/** Every sentence of the message store's guarantees, on one engine. */
export function messageStoreContract(name: string, open: OpenChatEngine): void {
  describe(`message store on ${name}`, () => {
    let engine: ChatEngine
    const messages = () => engine.stores.messages
    /** A user message and its answer, `at` seconds. */
    const turn = async (id: string, parentId: string | null, at: number) => {
      await messages().addUserMessage(sampleMessage(`q${id}`, { parentId, createdAt: second(at) }))
      await answer(`a${id}`, `q${id}`, at + 0.5)
    }
    const answer = (id: string, parentId: string, at: number) =>
      engine.stores.generations.begin(sampleGeneration(id, { parentId, createdAt: second(at) }), held('r'))
    const path = async (from: string, limit = 50) => (await messages().path('chat', from, limit)).map(({ id }) => id)
    beforeEach(async () => {
      engine = await open()
    })
    afterEach(() => engine.close())

    it('keeps a message, and the first of two with one id', async () => {
      const message = sampleMessage('m', { clientMessageId: 'client', parentId: 'p' })
      await messages().addUserMessage(message)
      await messages().addUserMessage({ ...message, content: 'Another' })
      const { ownerId: _owner, ...shown } = message
      const whole = { ...shown, role: 'user', status: 'complete', reasoning: '', reasoningMs: 0, ending: null }
      expect(await engine.replica.messages.find('chat', 'm')).toEqual(whole)
      expect(await messages().find('other chat', 'm')).toBeUndefined()
    })

    it('walks from a message to the first one, newest first', async () => {
      await turn('1', null, 1)
      await turn('2', 'a1', 2)
      await turn('3', 'a2', 3)
      expect(await path('newest')).toEqual(['a3', 'q3', 'a2', 'q2', 'a1', 'q1'])
      expect(await path('newest', 3)).toEqual(['a3', 'q3', 'a2'])
      expect(await path('a1')).toEqual(['a1', 'q1'])
      expect(await path('missing')).toEqual([])
      expect(await messages().path('other chat', 'a1', 5)).toEqual([])
      expect(await messages().path('other chat', 'newest', 5)).toEqual([])
    })

    it('follows the message created last and lists versions in order of creation', async () => {
      await turn('1', null, 1)
      await turn('2', 'a1', 2)
      await answer('b2', 'q2', 8)
      const shown = await messages().path('chat', 'newest', 50)
      expect(shown.map(({ id }) => id)).toEqual(['b2', 'q2', 'a1', 'q1'])
      expect(shown.map(({ versions }) => versions)).toEqual([['a2', 'b2'], ['q2'], ['a1'], ['q1']])
      await messages().addUserMessage(sampleMessage('q1 edited', { createdAt: second(9) }))
      const [edited] = await messages().path('chat', 'newest', 50)
      expect(edited).toMatchObject({ id: 'q1 edited', parentId: null, versions: ['q1', 'q1 edited'] })
    })

    it('leaves out versions that failed without a word, but not the message itself', async () => {
      await turn('1', null, 1)
      const failed = sampleEnding({ outcome: 'error', failure: { error: 'Broken', code: 'provider_error' } })
      await engine.stores.generations.finish('a1', 'r', sampleProgress({ content: '' }), failed, undefined)
      expect((await messages().path('chat', 'newest', 1))[0]).toMatchObject({
        id: 'a1',
        versions: ['a1'],
        ending: failed,
      })
      await answer('b1', 'q1', 5)
      expect((await messages().path('chat', 'newest', 1))[0]?.versions).toEqual(['b1'])
      expect((await messages().path('chat', 'a1', 1))[0]?.versions).toEqual(['a1', 'b1'])
    })
  })
}
