import { describe, expect, it, vi } from 'vitest'
import { chat, done, given, message, start, stream } from '../../../testing/given-session.ts'

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

describe('an answer that runs elsewhere', () => {
  it('is told by the socket, from where that says it stands to its end', async () => {
    const { session, state, said, resumed } = await following()
    expect(said).toEqual(['ask c1'])
    for (const news of [delta(3, 'too early'), init(3, 'He'), delta(4, 'llo')]) session.hear(news)
    await vi.waitFor(() => expect(state().live).toMatchObject({ content: 'Hello', source: 'socket' }))
    session.hear({ type: 'stream:done', ...answer, finishReason: 'stop', usage: null })
    await vi.waitFor(() => expect(state().messages.at(-1)).toMatchObject({ content: 'Hello', state: 'complete' }))
    expect(resumed).toEqual([])
  })

  it('goes on over a stream after a gap, with the text that is there', async () => {
    const wire = 'id: 5\ndata: {"text":"lo"}\n\n'
    const body = new Response(wire, { headers: { 'content-type': 'text/event-stream' } })
    const { session, state, resumed } = await following({ answers: [body] })
    for (const news of [init(4, 'Hel'), delta(7, '!')]) session.hear(news)
    await vi.waitFor(() => expect(state().live).toMatchObject({ content: 'Hello', source: 'stream' }))
    expect(resumed[0]).toBe('a1 after 4')
  })

  it('goes on over a stream when the socket is gone, and is not told twice', async () => {
    const { session, state, resumed } = await following()
    session.hear(init(4, 'Hel'))
    await vi.waitFor(() => expect(state().live?.lastSeq).toBe(4))
    session.loseSocket()
    expect(resumed).toEqual(['a1 after 4'])
    session.hear(delta(5, 'lo'))
    session.loseSocket()
    expect(resumed).toHaveLength(1)
    expect(state().live?.content).toBe('Hel')
  })

  it('is read over a stream at once where there is no socket', async () => {
    const { resumed, said } = await following({ live: false })
    expect([resumed, said]).toEqual([['a1'], []])
  })

  it('is read over a stream when the socket does not say where it stands', async () => {
    vi.useFakeTimers()
    try {
      const { resumed } = await following()
      await vi.advanceTimersByTimeAsync(3_000)
      expect(resumed).toEqual(['a1'])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('news', () => {
  it('that came while the page was on its way has it read again', async () => {
    const next = message({ id: 'u2', parentId: 'a1' })
    const { session, state } = given({
      chatId: 'c1',
      live: true,
      pages: [chat([question, ended])],
      page: chat([question, ended, next]),
    })
    const opening = session.open()
    session.hear({ type: 'msg:append', chatId: 'c1', message: next })
    await opening
    await vi.waitFor(() => expect(state().messages.map(({ id }) => id)).toEqual(['u1', 'a1', 'u2']))
  })

  it('that disturb this tab’s own answer wait for its end', async () => {
    const other = message({ id: 'u9', parentId: 'a7' })
    const { session, state, settled, answers } = given({ chatId: 'c1', page: chat([other]) })
    answers.push(stream([start, { text: 'Hi' }, done]))
    session.send('Hi', 'v3')
    session.hear({ type: 'msg:append', chatId: 'c1', message: other })
    await settled()
    await vi.waitFor(() => expect(state().messages.map(({ id }) => id)).toEqual(['u9']))
  })
})
