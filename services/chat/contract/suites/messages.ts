import { beforeEach, describe, expect, it } from 'vitest'
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

/** Every sentence of the message store's guarantees, on one engine. */
export function messageStoreContract(name: string, engine: ChatEngine): void {
  describe(`message store on ${name}`, () => {
    const messages = () => engine.stores.messages
    const generations = () => engine.stores.generations
    const finish = (id: string, parts = {}) =>
      generations().finish(id, 'r', sampleProgress(), sampleEnding(parts), undefined)
    /** A question and its answer, `at` seconds. */
    const turn = async (id: string, parentId: string | null, at: number) => {
      const message = sampleMessage(`q${id}`, { parentId, createdAt: second(at) })
      const answer = sampleGeneration(`a${id}`, { parentId: `q${id}`, createdAt: second(at + 0.5) })
      expect(await generations().begin(answer, held('r'), { message })).toBe('begun')
      await finish(`a${id}`)
    }
    /** Another answer to a question. */
    const again = async (id: string, parentId: string, at: number) => {
      await generations().begin(sampleGeneration(id, { parentId, createdAt: second(at) }), held('r'), {})
      await finish(id)
    }
    const path = async (from: string, limit = 50) => (await messages().path('chat', from, limit)).map(({ id }) => id)
    beforeEach(async () => {
      await engine.stores.chats.add(sampleChat('chat'))
    })

    it('appends finished messages after the last one shown, each as a reply to the one before', async () => {
      const image = {
        id: 'f',
        type: 'image',
        mimeType: 'image/png',
        url: '/f',
        name: 'f',
        size: 9,
        detail: 'auto',
      } as const
      const asked = sampleFinished('q', { attachments: [image], modes: ['study'], clientMessageId: 'client' })
      const made = sampleFinished('a', {
        role: 'assistant',
        reasoning: 'why',
        reasoningMs: 5,
        events: sampleProgress().events,
        search: sampleProgress().search,
        feedback: { rating: 'down', reason: 'No' },
        ending: sampleEnding(),
        createdAt: second(1),
      })
      expect(await messages().append('chat', 'owner', [asked, made], { follows: null })).toBe('appended')
      expect(await engine.replica.messages.find('chat', 'q')).toEqual({ ...asked, chatId: 'chat', parentId: null })
      expect(await messages().find('chat', 'a')).toEqual({ ...made, chatId: 'chat', parentId: 'q' })
      expect(await messages().find('other chat', 'q')).toBeUndefined()
      expect(await path('shown')).toEqual(['a', 'q'])
      expect(await messages().findMany('chat', ['a', 'missing', 'q'])).toMatchObject([{ id: 'a' }, { id: 'q' }])
      expect(await messages().findMany('other chat', ['a'])).toEqual([])
    })

    it('stores each message once, on concurrent appends too', async () => {
      await turn('1', null, 1)
      const two = [sampleFinished('x'), sampleFinished('a1', { content: 'Changed' }), sampleFinished('y')]
      const each = [engine.stores, engine.replica].map(({ messages: store }) => store.append('chat', 'owner', two))
      expect(await Promise.all(each)).toEqual(['appended', 'appended'])
      expect(await path('shown')).toEqual(['y', 'x', 'a1', 'q1'])
      expect((await messages().find('chat', 'a1'))?.content).not.toBe('Changed')
      expect([...(await messages().existing(['x', 'nothing', 'q1']))].sort()).toEqual(['q1', 'x'])
    })

    it('refuses to append to a chat that is missing, deleted, or being written to', async () => {
      const one = [sampleFinished('x')]
      expect(await messages().append('missing', 'owner', one)).toBe('gone')
      expect(await messages().append('chat', 'other', one)).toBe('gone')
      expect(await messages().append('chat', 'owner', one, { follows: 'a0' })).toBe('moved')
      await generations().begin(sampleGeneration('g'), held('r'), { message: sampleMessage('q') })
      expect(await messages().append('chat', 'owner', one)).toBe('busy')
      await finish('g')
      expect(await messages().append('chat', 'owner', one, { follows: null })).toBe('moved')
      expect(await messages().append('chat', 'owner', one, { follows: 'g' })).toBe('appended')
    })

    it('appends a message after any other, as a version beside its present replies, and shows it', async () => {
      await turn('1', null, 1)
      await turn('2', 'a1', 2)
      const another = sampleFinished('b1', { role: 'assistant', ending: sampleEnding(), createdAt: second(9) })
      const place = { parentId: 'q1' }
      expect(await messages().append('chat', 'owner', [another], place)).toBe('appended')
      expect(await engine.replica.messages.append('chat', 'owner', [another], place)).toBe('appended')
      expect(await messages().find('chat', 'b1')).toEqual({ ...another, chatId: 'chat', parentId: 'q1' })
      const shown = await messages().path('chat', 'shown', 50)
      expect(shown.map(({ id, versions }) => [id, versions])).toEqual([
        ['b1', ['a1', 'b1']],
        ['q1', ['q1']],
      ])
      const found = async () => (await engine.stores.search.find('owner', 'of b1', 5)).map((hit) => hit.messageId)
      expect(await found()).toEqual(['b1'])
      while ((await engine.stores.search.index(second(1_000))) > 0);
      expect(await found()).toEqual(['b1'])
      expect(await messages().append('chat', 'owner', [sampleFinished('q3')], { follows: 'b1' })).toBe('appended')
      expect(await messages().show('chat', 'owner', 'a2', second(20))).toBe('shown')
      expect(await path('shown')).toEqual(['a2', 'q2', 'a1', 'q1'])
    })

    it('appends nothing after an unknown message, nor while an answer is generating', async () => {
      await turn('1', null, 1)
      await engine.stores.chats.add(sampleChat('other chat'))
      const behind = (parentId: string, chat = 'chat', owner = 'owner') =>
        messages().append(chat, owner, [sampleFinished('b1', { role: 'assistant' })], { parentId })
      expect(await behind('missing')).toBe('gone')
      expect(await behind('q1', 'other chat')).toBe('gone')
      expect(await behind('q1', 'chat', 'other')).toBe('gone')
      await generations().begin(sampleGeneration('c1', { parentId: 'q1', createdAt: second(6) }), held('r'), {})
      expect(await behind('q1')).toBe('busy')
      expect(await path('shown')).toEqual(['c1', 'q1'])
      await finish('c1')
      expect(await behind('q1')).toBe('appended')
    })

    it('stores modes and files with a question', async () => {
      const file = {
        id: 'f',
        type: 'file',
        mimeType: 'application/pdf',
        url: '/f',
        name: 'f',
        size: 9,
        detail: 'auto',
      } as const
      const message = sampleMessage('q', { attachments: [file], modes: ['webSearch', 'finance'] })
      await generations().begin(sampleGeneration('g', { parentId: 'q' }), held('r'), { message, follows: null })
      expect(await messages().find('chat', 'q')).toMatchObject({ attachments: [file], modes: message.modes })
    })

    it('walks from a message to the first one, newest first', async () => {
      await turn('1', null, 1)
      await turn('2', 'a1', 2)
      await turn('3', 'a2', 3)
      expect(await path('shown')).toEqual(['a3', 'q3', 'a2', 'q2', 'a1', 'q1'])
      expect(await path('shown', 3)).toEqual(['a3', 'q3', 'a2'])
      expect(await path('a1')).toEqual(['a1', 'q1'])
      expect(await path('missing')).toEqual([])
      expect(await messages().path('other chat', 'a1', 5)).toEqual([])
      expect(await messages().path('other chat', 'shown', 5)).toEqual([])
    })

    it('walks as far as the messages stay within some bytes, and one at least', async () => {
      const events = [
        { tool_call_result: { toolCallId: 'c', toolName: 'read', result: 'e'.repeat(100), resultNormalized: '' } },
      ]
      const answer = { role: 'assistant', ending: sampleEnding(), content: '', events } as const
      const large = [
        sampleFinished('q1', { content: 'x'.repeat(10_000) }),
        sampleFinished('a1', { ...answer, reasoning: '€'.repeat(10_000), createdAt: second(1) }),
        sampleFinished('q2', { content: 'x', createdAt: second(2) }),
        sampleFinished('a2', { ...answer, content: 'ä'.repeat(5_000), createdAt: second(3) }),
      ]
      await messages().append('chat', 'owner', large)
      const within = async (bytes: number, from = 'shown', limit = 50) =>
        (await engine.replica.messages.path('chat', from, limit, bytes)).map(({ id }) => id)
      expect(await within(1)).toEqual(['a2'])
      expect(await within(14_000)).toEqual(['a2', 'q2'])
      expect(await within(14_000, 'a1')).toEqual(['a1'])
      expect(await within(44_000)).toEqual(['a2', 'q2', 'a1'])
      expect(await within(60_000)).toEqual(['a2', 'q2', 'a1', 'q1'])
      expect(await within(60_000, 'shown', 3)).toEqual(['a2', 'q2', 'a1'])
      const texts = [10_000, 30_000, 1, 10_000]
      for (const [nth, { bytes }] of (await messages().outline('chat')).entries()) {
        expect(bytes).toBeGreaterThanOrEqual(texts[nth] ?? 0)
        expect(bytes).toBeLessThan((texts[nth] ?? 0) + 1_000)
      }
    })

    it('shows the answer begun last, and lists versions in order of creation', async () => {
      await turn('1', null, 1)
      await turn('2', 'a1', 2)
      await again('b2', 'q2', 8)
      const shown = await messages().path('chat', 'shown', 50)
      expect(shown.map(({ id }) => id)).toEqual(['b2', 'q2', 'a1', 'q1'])
      expect(shown.map(({ versions }) => versions)).toEqual([['a2', 'b2'], ['q2'], ['a1'], ['q1']])
      await turn('1 edited', null, 9)
      const [, edited] = await messages().path('chat', 'shown', 50)
      expect(edited).toMatchObject({ id: 'q1 edited', parentId: null, versions: ['q1', 'q1 edited'] })
    })

    it('shows another version once it is selected, and continues that one', async () => {
      await turn('1', null, 1)
      await again('b1', 'q1', 5)
      expect(await messages().show('chat', 'owner', 'a1', second(9))).toBe('shown')
      expect(await path('shown')).toEqual(['a1', 'q1'])
      expect(await engine.replica.chats.find('chat', 'owner')).toMatchObject({ leafId: 'a1' })
      const message = sampleMessage('q2', { parentId: 'a1', createdAt: second(10) })
      const next = sampleGeneration('a2', { parentId: 'q2', createdAt: second(11) })
      expect(await generations().begin(next, held('r'), { message, follows: 'b1' })).toBe('moved')
      expect(await generations().begin(next, held('r'), { message, follows: 'a1' })).toBe('begun')
      expect(await path('shown')).toEqual(['a2', 'q2', 'a1', 'q1'])
    })

    it('refuses to show a message of another chat, one in the middle, or any while an answer is generating', async () => {
      await turn('1', null, 1)
      await again('b1', 'q1', 5)
      const show = (leafId: string, owner = 'owner', chat = 'chat') => messages().show(chat, owner, leafId, second(9))
      expect(await show('a1', 'other')).toBe('gone')
      expect(await show('a1', 'owner', 'missing')).toBe('gone')
      expect(await show('missing')).toBe('gone')
      expect(await show('q1')).toBe('moved')
      await generations().begin(sampleGeneration('c1', { parentId: 'q1', createdAt: second(6) }), held('r'), {})
      expect(await show('a1')).toBe('busy')
      expect(await path('shown')).toEqual(['c1', 'q1'])
    })

    it('outlines the whole tree', async () => {
      await turn('1', null, 1)
      await again('b1', 'q1', 5)
      await generations().begin(sampleGeneration('c1', { parentId: 'q1', createdAt: second(6) }), held('r'), {})
      const failed = { outcome: 'error', failure: { error: 'Broken', code: 'provider_error' } } as const
      await generations().finish('c1', 'r', sampleProgress({ content: '' }), sampleEnding(failed), undefined)
      await messages().show('chat', 'owner', 'a1', second(20))
      const bytes = expect.any(Number)
      const answer = { role: 'assistant', parentId: 'q1', usage: sampleEnding().usage, hasAttachments: false, bytes }
      expect(await messages().outline('chat')).toEqual([
        {
          ...answer,
          id: 'q1',
          role: 'user',
          parentId: null,
          status: 'complete',
          model: 'v3',
          isEmpty: false,
          usage: null,
          at: second(1),
        },
        { ...answer, id: 'a1', status: 'complete', model: 'fallback', isEmpty: false, at: second(20) },
        { ...answer, id: 'b1', status: 'complete', model: 'fallback', isEmpty: false, at: second(5) },
        { ...answer, id: 'c1', status: 'error', model: 'fallback', isEmpty: true, at: second(6) },
      ])
      expect(await messages().outline('missing')).toEqual([])
    })

    it('stores feedback on an answer, and on no other message', async () => {
      await turn('1', null, 1)
      expect(await messages().rate('chat', 'a1', { rating: 'up' })).toBe(true)
      expect((await messages().find('chat', 'a1'))?.feedback).toEqual({ rating: 'up' })
      expect(await messages().rate('chat', 'a1', null)).toBe(true)
      expect((await messages().find('chat', 'a1'))?.feedback).toBeNull()
      expect(await messages().rate('chat', 'q1', { rating: 'up' })).toBe(false)
      expect(await messages().rate('other chat', 'a1', { rating: 'up' })).toBe(false)
    })

    it('leaves out versions that failed without text, but not the message itself', async () => {
      const message = sampleMessage('q1')
      await generations().begin(sampleGeneration('a1', { parentId: 'q1' }), held('r'), { message })
      const failed = sampleEnding({ outcome: 'error', failure: { error: 'Broken', code: 'provider_error' } })
      await generations().finish('a1', 'r', sampleProgress({ content: '' }), failed, undefined)
      const shown = async (from: string) => (await messages().path('chat', from, 1))[0]
      expect(await shown('shown')).toMatchObject({ id: 'a1', versions: ['a1'], ending: failed })
      await again('b1', 'q1', 5)
      expect((await shown('shown'))?.versions).toEqual(['b1'])
      expect((await shown('a1'))?.versions).toEqual(['a1', 'b1'])
    })
  })
}
