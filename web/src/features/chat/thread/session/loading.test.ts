import { afterEach, describe, expect, it, vi } from 'vitest'
import { chat, done, given, message, refusal, start, stream } from '../../../../testing/given-session.ts'
import { untilPasses } from '../../../../testing/until-passes.ts'

describe('a message sent before the thread has loaded', () => {
  it('follows the stored ones', async () => {
    const page = chat([message({ id: 'u0', content: 'before' }), message({ id: 'm0', role: 'assistant' })])
    const { session, state, settled } = given({ chatId: 'c1', page, answers: [stream([start, { text: 'Yes' }, done])] })
    const reading = session.open()
    session.send('after')
    await reading
    await settled()
    expect(state().messages.map(({ content }) => content)).toEqual(['before', 'text', 'after', 'Yes'])
    expect(state().loading).toBe('none')
  })

  it('loads the stored ones that could not be loaded before', async () => {
    const pages = [refusal(503, 'unavailable'), chat([message({ id: 'u0', content: 'before' })])]
    const { session, state } = given({ chatId: 'c1', pages, answers: [stream([start, { text: 'Yes' }])] })
    await session.open()
    expect(state().loading).toBe('failed')
    session.send('after')
    await untilPasses(() => expect(state().loading).toBe('none'))
    expect(state().messages.map(({ content }) => content)).toEqual(['before', 'after', ''])
  })

  it('shows an answer once that is stored before its stream has begun here', async () => {
    const [reading, answer] = [Promise.withResolvers<ReturnType<typeof chat>>(), Promise.withResolvers<Response>()]
    const { session, state, settled } = given({ chatId: 'c1', pages: [reading.promise], answers: [answer.promise] })
    const opened = session.open()
    session.send('Hi')
    const stored = message({ id: 'm1', role: 'assistant', content: 'Yes' })
    reading.resolve(chat([message({ id: 'u0' }), message({ id: 'u1', clientMessageId: 'id2', content: 'Hi' }), stored]))
    await opened
    expect(state().messages.map(({ content }) => content)).toEqual(['text', 'Hi', ''])
    answer.resolve(stream([start, { text: 'Yes' }, done]))
    await settled()
    expect(state().messages.map(({ content }) => content)).toEqual(['text', 'Hi', 'Yes'])
  })
})

describe('a shown thread that cannot be refreshed', () => {
  afterEach(() => void vi.useRealTimers())

  const shown = async (...failures: Error[]) => {
    vi.useFakeTimers()
    const newer = chat([message({ id: 'u0', content: 'newer' })])
    const pages = [chat([message({ id: 'u0', content: 'older' })]), ...failures, newer]
    const { session, state } = given({ chatId: 'c1', pages })
    await session.open()
    await session.open()
    return { session, text: () => state().messages[0]?.content }
  }

  it.each([
    ['is overloaded', refusal(429, 'rate_limited')],
    ['is unavailable', refusal(503, 'unavailable')],
    ['cannot be reached', refusal(0, 'network')],
  ])('is refreshed later when the server %s', async (_what, failure) => {
    const { text } = await shown(failure, failure)
    expect(text()).toBe('older')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(text()).toBe('newer')
  })

  it('is left alone when the server refuses, or once it is left', async () => {
    const refused = await shown(refusal(404, 'not_found'))
    await vi.advanceTimersByTimeAsync(600_000)
    expect(refused.text()).toBe('older')
    const left = await shown(refusal(503, 'unavailable'))
    left.session.leave()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(left.text()).toBe('older')
  })
})

it('a thread that could not be loaded is loading again when it is opened again', async () => {
  const { session, state } = given({ chatId: 'c1', pages: [refusal(403, 'forbidden'), chat([message({ id: 'u1' })])] })
  await session.open()
  expect(state().loading).toBe('failed')
  const again = session.open()
  expect(state().loading).toBe('first')
  await again
  expect(state()).toMatchObject({ loading: 'none', messages: [{ id: 'u1' }] })
})

it('a load of older messages waits for one that is under way, instead of loading them twice', async () => {
  const older = Promise.withResolvers<ReturnType<typeof chat>>()
  const pages = [chat([message({ id: 'u2' })], { hasMore: true }), older.promise]
  const { session, state, said } = given({ chatId: 'c1', pages })
  await session.open()
  void session.loadOlder()
  const second = session.loadOlder().then(() => state().messages.map(({ id }) => id))
  // By the next turn a call that does not wait has ended.
  setTimeout(() => older.resolve(chat([message({ id: 'u1' })])))
  expect(await second).toEqual(['u1', 'u2'])
  expect(said).toEqual(['page before u2'])
})
