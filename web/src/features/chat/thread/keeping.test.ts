import type { ChatDetail, Message } from '@parley/contracts'
import { expect, it, vi } from 'vitest'
import { streamLimits } from '../stream/read-answer.ts'
import { createChatSession } from './chat-session.ts'

const start = { chatId: 'c1', messageId: 'm1', userMessageId: 'u1', model: 'v3' }
const done = { done: true, messageId: 'm1', finishReason: 'stop', usage: {}, credits: { charged: 1 } }
const stream = (...events: unknown[]): Response =>
  new Response(events.map((event, index) => `id: ${index + 1}\ndata: ${JSON.stringify(event)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  })
const message = (id: string, fields: Partial<Message> = {}): Message => ({
  id,
  role: 'user',
  content: id,
  model: null,
  status: 'complete',
  parentId: null,
  createdAt: '2030-01-01T00:00:00Z',
  ...fields,
})
const chat = (messages: Message[], fields: Partial<ChatDetail> = {}): ChatDetail => ({
  _id: 'c1',
  title: 'Chat',
  modelUsed: 'v3',
  createdAt: '2030-01-01T00:00:00Z',
  updatedAt: '2030-01-01T00:00:00Z',
  messages,
  hasMore: false,
  ...fields,
})

/** A session of the chat c1 in a tab that draws nothing, whose server gives these pages and answers one after the other. */
function given(pages: ChatDetail[], answers: Response[]) {
  const failures: unknown[] = []
  const answer = async (): Promise<Response> => {
    const next = answers.shift()
    if (next === undefined) throw Object.assign(new Error('Not found'), { status: 404, code: 'not_found' })
    return next
  }
  let ids = 0
  const session = createChatSession(
    {
      reader: {
        transport: { send: answer, resume: answer },
        onWake: () => () => undefined,
        random: () => 0,
        limits: { ...streamLimits, backoff: { minMs: 0, maxMs: 0 } },
      },
      readPage: async () => {
        const page = pages.shift()
        if (page === undefined) throw new Error('No page')
        return page
      },
      findChat: async () => null,
      stopAnswer: async () => {
        throw new Error('Away')
      },
      showPath: async () => undefined,
      rateAnswer: async () => undefined,
      images: { createChat: async () => '', make: () => new Promise(() => undefined), save: async () => undefined },
      live: { isLive: () => false, ask: () => undefined, on: () => () => undefined },
      createId: () => {
        ids += 1
        return `id${ids}`
      },
      now: () => 1_000_000,
      schedule: () => () => undefined,
      isGuest: () => false,
      guestThread: { read: () => null, write: () => undefined },
      events: {
        created: () => undefined,
        guest: () => undefined,
        started: () => undefined,
        ended: () => undefined,
        stopFailed: (error) => failures.push(error),
        actionFailed: () => undefined,
      },
    },
    'c1',
  )
  return { session, state: () => session.store.getState(), failures }
}

it('an answer is whole at its end, also when nothing was drawn meanwhile', async () => {
  const { session, state } = given([chat([])], [stream(start, { text: 'Hel' }, { text: 'lo' }, done)])
  await session.open()
  session.send('Hi', 'v3')
  await vi.waitFor(() => expect(state().live).toBeNull())
  expect(state().messages).toMatchObject([
    { id: 'u1', state: 'sent' },
    { id: 'm1', state: 'complete', content: 'Hello' },
  ])
})

it('a resumed answer that is cut before it caught up keeps the text that was shown', async () => {
  const half = message('m1', { role: 'assistant', content: 'Half of it', status: 'generating' })
  const running = chat([message('u1'), half], { generating: { messageId: 'm1' } })
  const { session, state } = given([running], [stream(start, { text: 'Ha' })])
  await session.open()
  await vi.waitFor(() => expect(state().live).toBeNull())
  expect(state().messages.at(-1)).toMatchObject({ id: 'm1', content: 'Half of it' })
})

it('a chat whose older messages are all known is not asked for them for ever', async () => {
  const page = chat([message('u1'), message('m1', { role: 'assistant' })], { hasMore: true })
  const { session, state } = given([page, page], [])
  await session.open()
  await session.loadOlder()
  expect(state()).toMatchObject({ messages: [{ id: 'u1' }, { id: 'm1' }], hasMore: false, loading: 'none' })
})
