import type { Message } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { chat, done, given, message, refusal, start, stream } from '../../../../testing/given-session.ts'
import { untilPasses } from '../../../../testing/until-passes.ts'

/** The messages number `first` to `last` of a thread of one hundred. */
const part = (first: number, last: number): Message[] =>
  Array.from({ length: last - first + 1 }, (_, index) => {
    const number = first + index
    const role = number % 2 === 1 ? 'user' : 'assistant'
    return message({ id: `n${number}`, role, content: `${number}`, parentId: number > 1 ? `n${number - 1}` : null })
  })
const latest = chat(part(91, 100), { hasMore: true })
const around = chat(part(11, 20), { hasMore: true, hasNewer: true, shown: true })
const numbers = ({ state }: ReturnType<typeof given>) => state().messages.map(({ content }) => content)
const range = (first: number, last: number) => part(first, last).map(({ content }) => content)

async function atMessage(options: Parameters<typeof given>[0] = {}) {
  const it = given({ chatId: 'c1', page: latest, pages: [around], ...options })
  await it.session.reveal('n15')
  return it
}

describe('going to a message', () => {
  it('needs no request if the message is loaded', async () => {
    const it = given({ chatId: 'c1', page: latest })
    await it.session.open()
    await it.session.reveal('n95')
    expect(it.state()).toMatchObject({ target: 'n95', position: 0, hasNewer: false })
    expect(it.said).toEqual([])
  })

  it('shows only the page around it, although the chat is opened meanwhile', async () => {
    const it = given({ chatId: 'c1', page: latest, pages: [around] })
    await Promise.all([it.session.reveal('n15'), it.session.open()])
    expect(it.said).toEqual(['page around n15'])
    expect(numbers(it)).toEqual(range(11, 20))
    expect(it.state()).toMatchObject({ target: 'n15', hasNewer: true, hasMore: true, loading: 'none' })
    await it.session.open()
    expect(numbers(it)).toEqual(range(11, 20))
  })

  it('switches to the version that contains it', async () => {
    const it = given({ chatId: 'c1', pages: [latest, { ...around, shown: false }] })
    await it.session.open()
    await it.session.reveal('n15')
    expect(it.said).toEqual(['page around n15', 'show n15'])
    expect(numbers(it)).toEqual(range(11, 20))
  })

  it('changes nothing if it is refused, which is reported', async () => {
    const it = given({ chatId: 'c1', page: latest })
    await it.session.open()
    it.pages.push(refusal(404, 'not_found'))
    await it.session.reveal('n15')
    expect(it.said).toEqual(['page around n15', 'go failed'])
    expect(numbers(it)).toEqual(range(91, 100))
  })

  it('stops following the running answer, which continues on the server, once the question is stored', async () => {
    const it = given({ chatId: 'c1', pages: [latest, around], answers: [stream([start, { text: 'He' }])] })
    await it.session.open()
    it.session.send('Hi')
    const gone = it.session.reveal('n15')
    expect(it.said).toEqual([])
    await gone
    expect(it.state()).toMatchObject({ live: null, hasNewer: true })
    expect(it.stopped).toEqual([])
  })
})

describe('a page that arrives late', () => {
  it('is dropped if it was to precede messages that are no longer shown', async () => {
    const older = Promise.withResolvers<ReturnType<typeof chat>>()
    const it = given({ chatId: 'c1', pages: [latest, older.promise, around] })
    await it.session.open()
    const loading = it.session.loadOlder()
    await it.session.reveal('n15')
    older.resolve(chat(part(81, 90), { hasMore: true }))
    await loading
    expect(numbers(it)).toEqual(range(11, 20))
  })

  it('does not take the place of a message that was sent meanwhile', async () => {
    const answers = [stream([start, { text: 'He' }])]
    const it = given({ chatId: 'c1', pages: [latest, around], answers })
    await it.session.open()
    const gone = it.session.reveal('n15')
    it.session.send('Hi')
    await gone
    expect(numbers(it).slice(0, 11)).toEqual([...range(91, 100), 'Hi'])
    expect(it.state().live).not.toBeNull()
  })
})

describe('an earlier part of a thread', () => {
  it('continues downwards to the end, including messages written meanwhile', async () => {
    const it = await atMessage()
    it.pages.push(chat(part(16, 25), { hasMore: true, hasNewer: true }))
    await it.session.loadNewer()
    expect(numbers(it)).toEqual(range(11, 25))
    it.pages.push(chat(part(21, 27), { hasMore: true, hasNewer: false }), chat(part(24, 28), { hasMore: true }))
    await it.session.loadNewer()
    expect(it.said.slice(1)).toEqual(['page around n20', 'page around n25'])
    expect(numbers(it)).toEqual(range(11, 28))
    expect(it.state()).toMatchObject({ hasNewer: false, hasMore: true, position: 1 })
    await it.session.loadNewer()
    expect(it.said).toHaveLength(3)
  })

  it('is replaced by the end on request', async () => {
    const it = await atMessage()
    await it.session.showLatest()
    expect(numbers(it)).toEqual(range(91, 100))
    expect(it.state()).toMatchObject({ hasNewer: false, position: 2, target: null })
  })

  it('is replaced by the end after sending, where the answer is', async () => {
    const it = await atMessage({ answers: [stream([start, { text: 'Hello' }, done])] })
    it.session.send('Hi')
    expect(numbers(it)).toEqual(['Hi', ''])
    await it.settled()
    await untilPasses(() => expect(numbers(it)).toEqual([...range(91, 100), 'Hi', 'Hello']))
  })

  it('is replaced by the end after sending, although that was loading already, and is not returned to', async () => {
    const end = Promise.withResolvers<ReturnType<typeof chat>>()
    const it = await atMessage({ answers: [stream([start, { text: 'Hello' }])] })
    it.pages.push(end.promise)
    const jump = it.session.showLatest()
    it.session.send('Hi')
    end.resolve(latest)
    await jump
    await untilPasses(() => expect(numbers(it)).toEqual([...range(91, 100), 'Hi', '']))
    expect(it.state()).toMatchObject({ loading: 'none', hasMore: true, target: null })
  })

  it('is replaced by the end after sending, although that arrives after the answer and is older', async () => {
    const end = Promise.withResolvers<ReturnType<typeof chat>>()
    const it = await atMessage({ answers: [stream([start, { text: 'Hello' }, done])] })
    const sent = [message({ id: 'u1', content: 'Hi' }), message({ id: 'm1', role: 'assistant', content: 'Hello' })]
    it.pages.push(end.promise, chat([...part(91, 100), ...sent], { hasMore: true }))
    it.session.send('Hi')
    await it.settled()
    const shown: string[][] = []
    it.session.store.subscribe(() => shown.push(numbers(it)))
    end.resolve(latest)
    await untilPasses(() => expect(numbers(it)).toEqual([...range(91, 100), 'Hi', 'Hello']))
    expect(shown.every((row) => row.includes('Hello'))).toBe(true)
  })

  it('is replaced by the end after sending, which is loaded later if that fails', async () => {
    const it = await atMessage({ answers: [stream([start, { text: 'Hello' }, done])] })
    it.pages.push(refusal(503, 'unavailable'), chat(part(91, 100), { hasMore: true }))
    it.session.send('Hi')
    await it.settled()
    await untilPasses(() => expect(it.state().loading).toBe('none'))
    await it.session.loadOlder()
    expect(numbers(it)).toEqual([...range(91, 100), 'Hi', 'Hello'])
  })

  it('is not affected by events at the end, except for changes of its own messages', async () => {
    const it = await atMessage()
    const event = { chatId: 'c1', seq: 1, updatedAt: '2030-01-01T00:00:00Z' }
    it.session.receive({ type: 'msg:append', ...event, message: message({ id: 'n101', parentId: 'n100' }) })
    it.session.receive({ type: 'msg:append', ...event, message: message({ id: 'n11', content: 'eleven' }) })
    it.session.receive({ type: 'chat:update', ...event, title: 'Renamed', lastMessageId: 'n101' })
    await untilPasses(() => expect(it.state().title).toBe('Renamed'))
    expect(numbers(it)).toEqual(['eleven', ...range(12, 20)])
    expect(it.said).toEqual(['page around n15'])
  })

  it('keeps unsent messages for the end', async () => {
    const it = given({ chatId: 'c1', pages: [latest, latest], answers: [refusal(503, 'unavailable')] })
    await it.session.open()
    it.session.send('Not taken')
    await it.settled()
    await it.session.open()
    it.pages.push(around, latest)
    await it.session.reveal('n15')
    expect(numbers(it)).toEqual(range(11, 20))
    await it.session.showLatest()
    expect(numbers(it)).toEqual([...range(91, 100), 'Not taken', ''])
  })

  it('ends with the new version of one of its answers', async () => {
    const it = await atMessage({ answers: [stream([{ ...start, userMessageId: 'n13' }, { text: 'Hello' }, done])] })
    it.pages.push(chat([...part(11, 13), message({ id: 'm1', role: 'assistant', content: 'Hello' })]))
    it.session.regenerate('n14')
    await it.settled()
    expect(numbers(it)).toEqual([...range(11, 13), 'Hello'])
    expect(it.state().hasNewer).toBe(false)
  })

  it('is replaced by the page around another version of one of its messages', async () => {
    const it = await atMessage()
    it.pages.push(chat([...part(11, 12), message({ id: 'v13' })], { hasMore: true, hasNewer: true }))
    await it.session.showVersion('v13')
    expect(it.said.slice(1)).toEqual(['show v13', 'page around v13'])
    expect(it.state()).toMatchObject({ messages: [{ id: 'n11' }, { id: 'n12' }, { id: 'v13' }], target: 'v13' })
  })

  it('is not restored after leaving the chat', async () => {
    const it = await atMessage()
    it.session.leave()
    await it.session.open()
    expect(numbers(it)).toEqual(range(91, 100))
  })
})
