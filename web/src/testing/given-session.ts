import type { ChatDetail, Message, SendBody, ServerEvent, ServerPayload } from '@parley/contracts'
import { expect } from 'vitest'
import { type AnswerReaderDeps, readAnswer, streamLimits } from '../features/chat/stream/read-answer.ts'
import { createChatSession } from '../features/chat/thread/session/chat-session.ts'
import type { ChatSessionDeps, MadeImage } from '../features/chat/thread/session/session-core.ts'
import { untilPasses } from './until-passes.ts'

/** The last event of a successful answer. */
export const done = {
  done: true,
  messageId: 'm1',
  finishReason: 'stop',
  usage: { inputTokens: 2, outputTokens: 3 },
  credits: { charged: 1 },
}
/** The first event of an answer. */
export const start = { chatId: 'c1', messageId: 'm1', userMessageId: 'u1', model: 'v3' }

/** The response to a send: these events, numbered from 1. */
export function stream(events: readonly unknown[]): Response {
  const wire = events.map((event, index) => `id: ${index + 1}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  return new Response(wire, { headers: { 'content-type': 'text/event-stream' } })
}
/** The rejection of a refused call. */
export const refusal = (status: number, code: string, message = 'Refused') =>
  Object.assign(new Error(message), { status, code })

/** A session whose server returns `answers` one after the other; requests are recorded in `sent` and `resumed`. */
export function given({
  chatId = null as string | null,
  guest = false,
  model = 'v3',
  answers = [] as (Response | Promise<Response> | Error)[],
  page = null as ChatDetail | null,
  pages = [] as (ChatDetail | Promise<ChatDetail> | Error)[],
  begun = null as string | null,
  live = false,
  images = [] as (MadeImage | Error)[],
  refusesStop = null as Error | null,
  draws = true,
  online = { now: true },
}) {
  const sent: SendBody[] = []
  const resumed: string[] = []
  /** Chats of whose answers the socket is silent. */
  const muted: string[] = []
  const said: string[] = []
  const heard = new Set<(payload: ServerPayload<ServerEvent>) => void>()
  const stopped: string[] = []
  const created: string[] = []
  const kept: { generating: string | null }[] = []
  const next = async () => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer ?? new Promise<Response>(() => undefined)
  }
  let ids = 0
  const clock = { now: 1_000_000 }
  const selected = { model }
  const reader: AnswerReaderDeps = {
    transport: {
      send: (body) => {
        sent.push(body)
        return next()
      },
      resume: (id, after) => {
        resumed.push(after > 0 ? `${id} after ${after}` : id)
        return next()
      },
    },
    onWake: () => () => undefined,
    isOnline: () => online.now,
    random: () => 0,
    limits: { ...streamLimits, backoff: { minMs: 0, maxMs: 0 } },
  }
  const deps: ChatSessionDeps = {
    model: () => selected.model,
    readAnswer: (request, signal) => readAnswer(reader, request, signal),
    readPage: async (_chatId, at) => {
      if (at) said.push(`page ${Object.entries(at).flat().join(' ')}`)
      const next = pages.shift() ?? page
      if (!next) throw new Error('No chat')
      if (next instanceof Error) throw next
      return next
    },
    findChat: async () => begun,
    stopGeneration: async (id) => {
      stopped.push(id)
      if (refusesStop !== null) throw refusesStop
    },
    showPath: async (_chatId, messageId) => said.push(`show ${messageId}`),
    rateAnswer: async (_chatId, { rating }) => {
      said.push(`rate ${rating}`)
      if (rating === 'down') throw refusal(503, 'unavailable')
    },
    images: {
      createChat: async () => 'c1',
      make: async ({ prompt, model, clientMessageId, regenerateMessageId: old }) => {
        said.push(`image ${prompt} ${model} ${clientMessageId}${old === undefined ? '' : ` beside ${old}`}`)
        const made = images.shift()
        if (!made || made instanceof Error) throw made ?? refusal(502, 'provider_error', 'The provider is down.')
        return made
      },
      save: async (chatId, messages) => said.push(`save ${chatId} ${messages.length}`),
    },
    live: {
      isLive: () => live,
      requestState: (id) => said.push(`ask ${id}`),
      mute: (id) => {
        muted.push(id)
        return () => muted.splice(muted.indexOf(id), 1)
      },
      on: (_event, listener) => {
        const own = listener as (payload: ServerPayload<ServerEvent>) => void
        heard.add(own)
        return () => void heard.delete(own)
      },
    },
    createId: () => {
      ids += 1
      return `id${ids}`
    },
    now: () => clock.now,
    schedule: (run) => {
      if (draws) queueMicrotask(run)
      return () => undefined
    },
    isGuest: () => guest,
    guestThread: { read: () => null, write: (thread) => kept.push(thread) },
    events: {
      created: (_session, id) => created.push(id),
      guest: () => undefined,
      started: () => void said.push('started'),
      ended: () => undefined,
      stopFailed: () => undefined,
      actionFailed: (action) => said.push(`${action} failed`),
    },
  }
  const session = createChatSession(deps, chatId)
  const state = () => session.store.getState()
  /** Simulates a socket event about a chat. */
  const tell = (update: ServerPayload<'chat:update'>) => {
    for (const listener of heard) listener(update)
  }
  const settled = () => untilPasses(() => expect(state().live).toBeNull())
  const log = { heard, sent, resumed, stopped, created, kept, said, muted }
  return { session, state, settled, tell, clock, selected, answers, pages, ...log }
}

/** A stored message. */
export const message = (fields: Partial<Message>): Message => ({
  id: 'x',
  role: 'user',
  content: 'text',
  model: null,
  status: 'complete',
  parentId: null,
  createdAt: '2030-01-01T00:00:00Z',
  ...fields,
})
/** A page of a chat. */
export const chat = (messages: Message[], fields: Partial<ChatDetail> = {}): ChatDetail => ({
  _id: 'c1',
  title: 'Chat',
  modelUsed: 'v3',
  createdAt: '2030-01-01T00:00:00Z',
  updatedAt: '2030-01-01T00:00:00Z',
  messages,
  hasMore: false,
  ...fields,
})
