import { describe, expect, it, vi } from 'vitest'
import { chat, done, given, message, start, stream } from '../../../../testing/given-session.ts'
import { untilPasses } from '../../../../testing/until-passes.ts'

const question = message({ id: 'u1' })
const running = message({ id: 'a1', role: 'assistant', content: '', status: 'generating', parentId: 'u1' })
const ended = message({ id: 'a1', role: 'assistant', content: 'Hello', parentId: 'u1' })
const pages = [chat([question, running], { generating: { messageId: 'a1' } })]
const answer = { chatId: 'c1', messageId: 'a1' }
const init = (lastEventId: number, content: string) =>
  ({
    type: 'chat:init',
    chatId: 'c1',
    lastMessageId: 'a1',
    generating: { messageId: 'a1', lastEventId, content, reasoning: '' },
  }) as const
const delta = (seq: number, text: string) => ({ type: 'stream:delta', ...answer, seq, text }) as const

async function following(options: Parameters<typeof given>[0] = {}) {
  const it = given({ chatId: 'c1', live: true, pages: [...pages], page: chat([question, ended]), ...options })
  await it.session.open()
  return it
}

describe('an answer that runs in another tab', () => {
  it('is followed over the socket from its snapshot to its end', async () => {
    const { session, state, said, resumed } = await following()
    expect(said).toEqual(['ask c1'])
    for (const event of [delta(3, 'too early'), init(3, 'He'), delta(4, 'llo')]) session.receive(event)
    await untilPasses(() => expect(state().live).toMatchObject({ content: 'Hello', source: 'socket' }))
    session.receive({ type: 'stream:done', ...answer, finishReason: 'stop', usage: null })
    await untilPasses(() => expect(state().messages.at(-1)).toMatchObject({ content: 'Hello', state: 'complete' }))
    expect(resumed).toEqual([])
  })

  it('continues over a stream after a gap, from the text so far', async () => {
    const wire = 'id: 5\ndata: {"text":"lo"}\n\n'
    const body = new Response(wire, { headers: { 'content-type': 'text/event-stream' } })
    const { session, state, resumed } = await following({ answers: [body] })
    for (const event of [init(4, 'Hel'), delta(7, '!')]) session.receive(event)
    await untilPasses(() => expect(state().live).toMatchObject({ content: 'Hello', source: 'stream' }))
    expect(resumed[0]).toBe('a1 after 4')
  })

  it('continues over a stream when the socket is lost, without duplicate text', async () => {
    const { session, state, resumed } = await following()
    session.receive(init(4, 'Hel'))
    await untilPasses(() => expect(state().live?.lastSeq).toBe(4))
    session.socketLost()
    expect(resumed).toEqual(['a1 after 4'])
    session.receive(delta(5, 'lo'))
    session.socketLost()
    expect(resumed).toHaveLength(1)
    expect(state().live?.content).toBe('Hel')
  })

  it('is read over a stream immediately if there is no socket', async () => {
    const { resumed, said } = await following({ live: false })
    expect([resumed, said]).toEqual([['a1'], []])
  })

  it('is read over a stream only if the socket sends no snapshot', async () => {
    vi.useFakeTimers()
    try {
      const { session, resumed: untouched } = await following()
      session.receive(init(4, 'Hel'))
      await vi.advanceTimersByTimeAsync(3_000)
      expect(untouched).toEqual([])
      const { resumed } = await following()
      await vi.advanceTimersByTimeAsync(3_000)
      expect(resumed).toEqual(['a1'])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('an event of a chat', () => {
  it('that arrives while its messages are loading causes a reload', async () => {
    const next = message({ id: 'u2', parentId: 'a1' })
    const { session, state } = given({
      chatId: 'c1',
      live: true,
      pages: [chat([question, ended])],
      page: chat([question, ended, next]),
    })
    const opening = session.open()
    session.receive({ type: 'msg:append', chatId: 'c1', message: next })
    await opening
    await untilPasses(() => expect(state().messages.map(({ id }) => id)).toEqual(['u1', 'a1', 'u2']))
  })

  it('that brings messages while this tab replaces one of them does not mix both', async () => {
    const theirs = [message({ id: 'u2', content: 'Theirs' }), message({ id: 'a2', role: 'assistant', parentId: 'u2' })]
    const mine = [message({ id: 'u3', content: 'Mine' }), message({ id: 'm1', role: 'assistant', parentId: 'u3' })]
    const pages = [chat([question, ended]), chat(theirs)]
    const { session, state, settled, answers } = given({ chatId: 'c1', pages, page: chat(mine) })
    await session.open()
    answers.push(stream([{ ...start, userMessageId: 'u3' }, { text: 'Hi' }, done]))
    const loading = session.open()
    session.edit('u1', 'Mine')
    await loading
    expect(state().messages.map(({ content }) => content)).toEqual(['Mine', expect.any(String)])
    await settled()
    await untilPasses(() => expect(state().messages.map(({ id }) => id)).toEqual(['u3', 'm1']))
  })

  it('that concerns another answer waits for the end of this tab’s own', async () => {
    const other = message({ id: 'u9', parentId: 'a7' })
    const { session, state, settled, answers } = given({ chatId: 'c1', page: chat([other]) })
    answers.push(stream([start, { text: 'Hi' }, done]))
    session.send('Hi')
    session.receive({ type: 'msg:append', chatId: 'c1', message: other })
    await settled()
    await untilPasses(() => expect(state().messages.map(({ id }) => id)).toEqual(['u9']))
  })
})
