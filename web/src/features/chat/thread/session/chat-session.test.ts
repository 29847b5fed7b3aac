import type { Attachment } from '@parley/contracts'
import { describe, expect, it, vi } from 'vitest'
import { chat, done, given, message, refusal, start, stream } from '../../../../testing/given-session.ts'
import { untilPasses } from '../../../../testing/until-passes.ts'

describe('sending', () => {
  it('continues in the chat created by a refused first message, also with another model', async () => {
    const stored = [
      message({ id: 'u1', clientMessageId: 'id2' }),
      message({ id: 'm1', role: 'assistant', status: 'error', content: '', error: 'Down' }),
    ]
    const answers = [refusal(502, 'upstream_error'), stream([start, { text: 'Hello' }, done])]
    const { session, state, settled, sent, created } = given({ answers, page: chat(stored), begun: 'c1' })
    session.send('text')
    await untilPasses(() => expect(state().messages.at(-1)?.id).toBe('m1'))
    expect(created).toEqual(['c1'])
    expect(state().messages).toHaveLength(2)
    session.retry()
    await settled()
    expect(sent[1]).toMatchObject({ chatId: 'c1', regenerateMessageId: 'm1', model: 'v3' })
  })

  it('can be undone while the message waits for the network, which returns files and modes and sends nothing', async () => {
    const { session, state, sent, stopped } = given({
      chatId: 'c1',
      page: chat([message({ id: 'u0' })]),
      online: { now: false },
    })
    await session.open()
    session.send('Hi', { modes: ['study'] })
    await untilPasses(() => expect(state().live?.connection).toBe('offline'))
    session.stop()
    expect(state()).toMatchObject({ live: null, messages: [{ id: 'u0' }], returned: { text: 'Hi', modes: ['study'] } })
    expect({ sent, stopped }).toEqual({ sent: [], stopped: [] })
    expect(session.send('Hi')).toBe('sent')
    // By the next turn the first reading has ended, and the second must not end with it.
    await new Promise((resolve) => setTimeout(resolve))
    expect(state()).toMatchObject({ live: { connection: 'offline' }, messages: [{}, { content: 'Hi' }, {}] })
    session.leave()
  })

  it('reports the start of an answer once, when its first words arrive', async () => {
    const answer = Promise.withResolvers<Response>()
    const { session, state, settled, said } = given({ answers: [answer.promise] })
    session.send('Hi')
    expect(said).not.toContain('started')
    answer.resolve(stream([start, { text: 'Hel' }, { text: 'lo' }, done]))
    await settled()
    expect(state().messages.at(-1)?.content).toBe('Hello')
    expect(said.filter((word) => word === 'started')).toHaveLength(1)
  })

  it('shows the first words of an answer before the next frame, and the following ones frame by frame', async () => {
    const { session, state } = given({ answers: [stream([start, { text: 'Hel' }, { text: 'lo' }])], draws: false })
    session.send('Hi')
    await untilPasses(() => expect(state().live).toMatchObject({ phase: 'writing', content: 'Hel' }))
  })

  it('mutes the socket while it reads an answer itself, in a new chat from its beginning', async () => {
    const [first, second] = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()]
    const { session, settled, muted, tell } = given({ answers: [first.promise, second.promise] })
    session.send('Hi')
    expect(muted).toEqual([])
    tell({ chatId: 'c1', updatedAt: '2030-01-01T00:00:00Z', clientMessageId: 'id2' })
    expect(muted).toEqual(['c1'])
    first.resolve(stream([start, { text: 'Hello' }, done]))
    await settled()
    expect(muted).toEqual([])
    session.send('More')
    expect(muted).toEqual(['c1'])
    second.resolve(stream([start, { text: 'Bye' }, done]))
    await settled()
    expect(muted).toEqual([])
  })

  it('keeps the requested model when another one answers', async () => {
    const { session, state, settled } = given({ model: 'r1', answers: [stream([start, { text: 'Hello' }, done])] })
    session.send('Hi')
    await settled()
    expect(state().messages.at(-1)).toMatchObject({ model: 'v3', insteadOf: 'r1' })
  })

  it('gets the chat when the socket reports the stored message, and the answer later', async () => {
    const answer = Promise.withResolvers<Response>()
    const { session, state, settled, created, tell, heard } = given({ answers: [answer.promise] })
    session.send('Hi')
    const update = { chatId: 'c1', title: 'Hi', updatedAt: '2030-01-01T00:00:00Z' }
    tell({ ...update, chatId: 'c9', clientMessageId: 'of another tab' })
    tell({ ...update, chatId: 'c8' })
    expect(state()).toMatchObject({ chatId: null, messages: [{ state: 'saving' }, {}] })
    tell({ ...update, clientMessageId: 'id2' })
    tell({ ...update, clientMessageId: 'id2' })
    expect(state()).toMatchObject({ chatId: 'c1', title: 'Hi', messages: [{ state: 'sent' }, { state: 'generating' }] })
    answer.resolve(stream([{ ...start, event: 'new_chat_created', title: 'Hi' }, { text: 'Hello' }, done]))
    await settled()
    expect(state().messages).toMatchObject([
      { id: 'u1', state: 'sent' },
      { id: 'm1', state: 'complete', content: 'Hello' },
    ])
    expect(created).toEqual(['c1'])
    expect(heard.size).toBe(0)
  })

  it('finds the chat in the list if the socket does not report it', async () => {
    vi.useFakeTimers()
    try {
      const { session, state, created } = given({ begun: 'c1' })
      session.send('Hi')
      await vi.advanceTimersByTimeAsync(3_000)
      expect(state()).toMatchObject({ chatId: 'c1', messages: [{ state: 'sent' }, { state: 'generating' }] })
      expect(created).toEqual(['c1'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('repeats a message that has created a chat unchanged, so that it joins its own answer', async () => {
    const lost = Promise.withResolvers<Response>()
    const { session, state, settled, sent, tell } = given({ answers: [lost.promise] })
    session.send('Hi')
    tell({ chatId: 'c1', title: 'Hi', updatedAt: '2030-01-01T00:00:00Z', clientMessageId: 'id2' })
    lost.reject(refusal(429, 'rate_limited'))
    await settled()
    session.resend(state().messages[0]?.key ?? '')
    expect(sent).toHaveLength(2)
    expect(sent[1]).toEqual({ ...sent[0], force: true })
  })

  it('restores how a stored answer ended and how long it thought', async () => {
    const stored = message({ role: 'assistant', finishReason: 'stopped', reasoningMs: 4_000 })
    const { session, state } = given({ chatId: 'c1', page: chat([stored]) })
    await session.open()
    expect(state().messages[0]).toMatchObject({ finishReason: 'stopped', thinkingMs: 4_000 })
  })

  it('shows the message immediately, then the answer with its receipt', async () => {
    const { session, state, settled } = given({ answers: [stream([start, { text: 'Hello' }, done])] })
    expect(session.send('Hi')).toBe('sent')
    expect(state().messages.map(({ role, state: how }) => [role, how])).toEqual([
      ['user', 'saving'],
      ['assistant', 'generating'],
    ])
    await settled()
    expect(state().messages).toMatchObject([
      { id: 'u1', state: 'sent', content: 'Hi' },
      { id: 'm1', state: 'complete', content: 'Hello', credits: 1 },
    ])
  })

  it('reports the id of a new chat once, and uses it for the next message', async () => {
    const { session, settled, created, sent, clock } = given({
      answers: [stream([start, done]), stream([{ ...start, messageId: 'm2' }, done])],
    })
    session.send('One')
    await settled()
    clock.now += 20_000
    session.send('Two')
    await settled()
    expect(created).toEqual(['c1'])
    expect(sent.map(({ chatId }) => chatId)).toEqual([undefined, 'c1'])
  })

  it('refuses blank text, a second message while an answer runs, and the same text within ten seconds', async () => {
    const { session, settled, clock, sent } = given({ answers: [stream([start, done]), stream([start, done])] })
    expect(session.send(' \n')).toBe('blank')
    expect(session.send('Hi')).toBe('sent')
    expect(session.send('More')).toBe('busy')
    await settled()
    clock.now += 5_000
    expect(session.send('Hi')).toBe('duplicate')
    expect(session.send('Hi', { force: true })).toBe('sent')
    expect(sent.map(({ force }) => force)).toEqual([false, true])
  })

  it('includes a guest’s thread and no chat id', async () => {
    const { session, state, settled, sent, kept } = given({
      guest: true,
      answers: [stream([start, { text: 'Yo' }, done]), stream([start, done])],
    })
    session.send('One')
    await settled()
    session.send('Two')
    await settled()
    expect(sent[1]).toMatchObject({
      message: 'Two',
      messages: [
        { role: 'user', content: 'One' },
        { role: 'assistant', content: 'Yo' },
      ],
    })
    expect(sent[1]).not.toHaveProperty('chatId')
    expect(state().chatId).toBeNull()
    expect(kept.map(({ generating }) => generating)).toEqual(['m1', null, 'm1', null])
  })
})

describe('a failure', () => {
  it('marks the message as unsent, which is resent under the same id', async () => {
    const network = () => refusal(0, 'network', '')
    const { session, state, settled, sent } = given({
      answers: [network(), network(), network(), stream([start, done])],
    })
    session.send('Hi')
    await settled()
    expect(state().messages).toMatchObject([
      { state: 'failed' },
      { state: 'error', failure: { text: { type: 'own', id: 'chat.failure.send.network' }, charge: 'none' } },
    ])
    session.resend(state().messages[0]?.key ?? '')
    await settled()
    expect(state().messages.map(({ state: how }) => how)).toEqual(['sent', 'complete'])
    expect(new Set(sent.map(({ clientMessageId }) => clientMessageId)).size).toBe(1)
  })

  it('gives the message a new id when it is resent with another model', async () => {
    const answers = [refusal(403, 'model_locked'), stream([start, done])]
    const { session, state, settled, sent, selected } = given({ answers })
    session.send('Hi')
    await settled()
    selected.model = 'other'
    session.resend(state().messages[0]?.key ?? '')
    await settled()
    expect(new Set(sent.map(({ clientMessageId }) => clientMessageId)).size).toBe(2)
  })

  it.each(['guest_limit_reached', 'insufficient_credits'])('returns the text to the composer on %s', async (code) => {
    const { session, state, settled } = given({ answers: [refusal(429, code)] })
    session.send('Hi')
    await settled()
    expect(state()).toMatchObject({ messages: [], returned: { text: 'Hi' }, blocked: { code } })
  })

  it('returns a message whose file is gone to the composer, and leaves one without files in the thread', async () => {
    const lost = [refusal(404, 'not_found'), refusal(404, 'not_found')]
    const { session, state, settled } = given({ answers: lost })
    const file = { id: 'f1', name: 'plan.pdf', detail: 'high' } as Attachment
    session.send('Look', { attachments: [file] })
    await settled()
    const returned = { text: 'Look', attachments: [file] }
    expect(state()).toMatchObject({ messages: [], returned, blocked: { code: 'not_found' } })
    session.send('Hi')
    await settled()
    expect(state()).toMatchObject({ messages: [{ content: 'Hi', state: 'failed' }, {}], blocked: null })
  })

  it('keeps the text of a broken answer, which is regenerated under its id', async () => {
    const { session, state, settled, sent } = given({
      answers: [
        stream([start, { text: 'Half' }, { error: 'Down', code: 'provider_error' }]),
        stream([{ ...start, messageId: 'm2' }, { text: 'Whole' }, done]),
      ],
    })
    session.send('Hi')
    await settled()
    expect(state().messages.at(-1)).toMatchObject({
      state: 'interrupted',
      content: 'Half',
      failure: { charge: 'text' },
    })
    session.retry()
    await settled()
    expect(sent[1]).toMatchObject({ chatId: 'c1', regenerateMessageId: 'm1' })
    expect(state().messages).toMatchObject([{ content: 'Hi' }, { id: 'm2', content: 'Whole', state: 'complete' }])
  })

  it('restores the old answer if regenerating it is refused', async () => {
    const { session, state, settled } = given({
      answers: [stream([start, { text: 'Old' }, done]), refusal(402, 'insufficient_credits')],
    })
    session.send('Hi')
    await settled()
    session.retry()
    await settled()
    expect(state().messages.at(-1)).toMatchObject({ id: 'm1', content: 'Old' })
    expect(state()).toMatchObject({ blocked: { code: 'insufficient_credits' }, returned: null })
  })
})

describe('a message that the server stored although it failed to answer', () => {
  it('is shown as stored, in the same row', async () => {
    const page = chat([message({ id: 'u1' }), message({ id: 'm1', role: 'assistant' })])
    const { session, state, settled, sent } = given({
      chatId: 'c1',
      page,
      answers: [refusal(502, 'provider_error'), stream([{ ...start, messageId: 'm3' }, done])],
    })
    await session.open()
    session.send('Kept')
    const row = state().messages.at(-2)?.key
    page.messages = [
      ...page.messages,
      message({ id: 'u2', content: 'Kept', clientMessageId: sent[0]?.clientMessageId }),
      message({ id: 'm2', role: 'assistant', content: '', status: 'error', error: 'Provider down' }),
    ]
    await untilPasses(() => expect(state().messages.at(-1)?.id).toBe('m2'))
    expect(state().messages).toHaveLength(4)
    expect(state().messages.at(-2)).toMatchObject({ key: row, id: 'u2', state: 'sent' })
    session.retry()
    await settled()
    expect(sent[1]).toMatchObject({ regenerateMessageId: 'm2', model: 'v3' })
  })
})

describe('stopping', () => {
  it('takes effect immediately if the answer has an id', async () => {
    const running = new Response(
      new ReadableStream({
        start: (control) => control.enqueue(new TextEncoder().encode(`id: 1\ndata: ${JSON.stringify(start)}\n\n`)),
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    )
    const { session, state, stopped } = given({ answers: [running] })
    session.send('Hi')
    await untilPasses(() => expect(state().live?.messageId).toBe('m1'))
    session.stop()
    session.stop()
    expect(stopped).toEqual(['m1'])
    session.leave()
  })

  it('uses the message’s id until the answer has its own', async () => {
    const { session, settled, stopped, sent } = given({ answers: [stream([start, done])] })
    session.send('Hi')
    session.stop()
    expect(stopped).toEqual([sent[0]?.clientMessageId])
    await settled()
    expect(stopped).toEqual([sent[0]?.clientMessageId, 'm1'])
  })

  it('is repeated if the stop arrived before the message', async () => {
    const { session, state, stopped } = given({ refusesStop: refusal(404, 'not_found') })
    session.send('Hi')
    session.stop()
    await untilPasses(() => expect(stopped).toHaveLength(1))
    // By the next turn the refusal has been processed.
    await new Promise((resolve) => setTimeout(resolve))
    expect(state().live?.stopping).toBe(true)
    session.leave()
  })

  it('can be repeated after it failed', async () => {
    const { session, state } = given({ refusesStop: refusal(503, 'unavailable') })
    session.send('Hi')
    session.stop()
    await untilPasses(() => expect(state().live?.stopping).toBe(false))
    session.leave()
  })
})

describe('opening a chat', () => {
  it('follows a running answer without losing its stored text', async () => {
    const page = chat(
      [message({ id: 'u1' }), message({ id: 'm1', role: 'assistant', content: 'Half', status: 'generating' })],
      { generating: { messageId: 'm1' } },
    )
    const { session, state, settled, resumed } = given({
      chatId: 'c1',
      page,
      answers: [stream([start, { text: 'Half' }, { text: ' done' }, done])],
    })
    await session.open()
    await settled()
    expect(resumed).toEqual(['m1'])
    expect(state().messages.at(-1)).toMatchObject({ content: 'Half done', state: 'complete' })
  })

  it('reports that it could not be loaded', async () => {
    const { session, state } = given({ chatId: 'c1' })
    await session.open()
    expect(state().loading).toBe('failed')
  })

  it('reports that it does not exist', async () => {
    const { session, state } = given({ chatId: 'c1', pages: [refusal(404, 'not_found')] })
    await session.open()
    expect(state().loading).toBe('missing')
  })

  it('keeps rows and unsent messages when it is reloaded', async () => {
    const page = chat([message({ id: 'u1' }), message({ id: 'm1', role: 'assistant' })])
    const { session, state, settled } = given({ chatId: 'c1', page, answers: [refusal(500, 'internal_error')] })
    await session.open()
    session.send('Lost')
    await settled()
    const keys = state().messages.map(({ key }) => key)
    await session.open()
    expect(state().messages.map(({ key }) => key)).toEqual(keys)
    expect(state().messages.at(-2)).toMatchObject({ content: 'Lost', state: 'failed' })
  })

  it('puts older messages first', async () => {
    const page = chat([message({ id: 'u2' })], { hasMore: true })
    const { session, state } = given({ chatId: 'c1', page })
    await session.open()
    page.messages = [message({ id: 'u1' }), message({ id: 'u2' })]
    page.hasMore = false
    await session.loadOlder()
    expect(state()).toMatchObject({ messages: [{ id: 'u1' }, { id: 'u2' }], hasMore: false, prepended: true })
  })
})
