import type { Message } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { beginContinue, beginResume, beginSend } from './begin-answer.ts'
import { type ChatEvent, detachLive, type Merge, mergeLive } from './live-merge.ts'
import { fromServer } from './thread-message.ts'
import { emptyThread, type ThreadState } from './thread-state.ts'

const stored = (id: string, fields: Partial<Message> = {}): Message => ({
  id,
  role: id.startsWith('u') ? 'user' : 'assistant',
  content: `text of ${id}`,
  model: 'v3',
  status: 'complete',
  parentId: null,
  createdAt: '2030-01-01T00:00:00Z',
  ...fields,
})
const generating = stored('a1', { content: '', status: 'generating', parentId: 'u1' })
const thread = (...messages: Message[]): ThreadState => ({
  ...emptyThread('c1'),
  title: 'Chat',
  messages: messages.map((message) => fromServer(message)),
})
const shown = thread(stored('u1'), stored('a1', { parentId: 'u1' }))
const sending = (state: ThreadState) =>
  beginSend(state, { userKey: 'k1', answerKey: 'k2', text: 'Hi', model: 'v3', clientMessageId: 'mine', at: 0 })
const followed = (lastSeq: number | null, content = ''): ThreadState => {
  const state = beginResume(thread(stored('u1'), generating), 'a1', 0, 'socket')
  return { ...state, live: state.live && { ...state.live, lastSeq, content } }
}

const init = (fields: Partial<Extract<ChatEvent, { type: 'chat:init' }>>): ChatEvent => ({
  type: 'chat:init',
  chatId: 'c1',
  lastMessageId: 'a1',
  ...fields,
})
const append = (message: Message): ChatEvent => ({ type: 'msg:append', chatId: 'c1', message })
const delta = (seq: number, text?: string): ChatEvent => ({
  type: 'stream:delta',
  chatId: 'c1',
  messageId: 'a1',
  seq,
  ...(text !== undefined && { text }),
})
const stateOf = (merge: Merge): ThreadState => {
  if (merge.type !== 'take') throw new Error(`Not taken but ${merge.type}`)
  return merge.state
}
const merge = (state: ThreadState, event: ChatEvent) => mergeLive(state, event, 0)

describe('a snapshot of a chat', () => {
  it('changes nothing if it matches the thread', () => {
    expect(merge(shown, init({})).type).toBe('keep')
    expect(merge(emptyThread('c1'), init({ lastMessageId: null })).type).toBe('keep')
  })

  it('causes a reload if another message is the last, or if the last one ended without this tab', () => {
    expect(merge(shown, init({ lastMessageId: 'a2' })).type).toBe('reload')
    expect(merge(thread(stored('u1'), generating), init({})).type).toBe('reload')
    expect(merge(followed(3), init({})).type).toBe('reload')
    const failure = { text: { type: 'own', id: 'chat.failure.lost' }, code: 'lost', charge: 'text' } as const
    const lost = { ...shown, messages: shown.messages.map((row) => ({ ...row, failure })) }
    expect(merge(lost, init({})).type).toBe('reload')
  })

  it('is ignored while this tab reads an answer or the first page itself', () => {
    expect(merge(sending(shown), init({ lastMessageId: 'a2' })).type).toBe('keep')
    expect(merge(emptyThread('c1', 'first'), init({})).type).toBe('keep')
  })

  it('sets the text so far of a running answer, to which deltas are added', () => {
    const running = { messageId: 'a1', lastEventId: 4, content: 'Hel', reasoning: '' }
    const begun = stateOf(merge(followed(null), init({ generating: running })))
    const late = stateOf(merge(begun, delta(5, 'lo')))
    expect(merge(begun, delta(4, 'l')).type).toBe('keep')
    expect(late.live).toMatchObject({ source: 'socket', content: 'Hello', lastSeq: 5, phase: 'writing' })
    expect(merge(late, init({ generating: running })).type).toBe('keep')
  })
})

describe('a message event', () => {
  it('updates the row that this tab has sent, also if it arrives twice', () => {
    const event = append(stored('u2', { clientMessageId: 'mine', parentId: 'a1' }))
    const once = stateOf(merge(sending(shown), event))
    expect(once.messages.map(({ id, key, state }) => [id, key, state])).toEqual([
      ['u1', 'u1', 'sent'],
      ['a1', 'a1', 'complete'],
      ['u2', 'k1', 'sent'],
      [null, 'k2', 'generating'],
    ])
    expect(stateOf(merge(once, event)).messages).toHaveLength(4)
  })

  it('adds a message after the one it follows', () => {
    const next = stateOf(merge(shown, append(stored('u2', { parentId: 'a1' }))))
    expect(next.messages.map(({ id }) => id)).toEqual(['u1', 'a1', 'u2'])
  })

  it('causes a reload if the message belongs to another version', () => {
    expect(merge(shown, append(stored('u9', { parentId: 'a7' }))).type).toBe('reload')
    expect(merge(shown, append(stored('u2', { parentId: 'a1', versions: ['u2', 'u3'] }))).type).toBe('reload')
  })

  it('from another tab waits for this tab’s own answer, whose row is not duplicated before its stream starts', () => {
    expect(merge(sending(shown), append(stored('u9', { parentId: 'a1' }))).type).toBe('later')
    expect(merge(sending(shown), append({ ...generating, id: 'a9' })).type).toBe('keep')
  })

  it('of a starting answer makes it followed from its first event', () => {
    const begun = stateOf(merge(thread(stored('u1')), append(generating)))
    expect(stateOf(merge(stateOf(merge(begun, delta(1))), delta(2, 'Hi'))).live).toMatchObject({ content: 'Hi' })
  })

  it('of an ended answer replaces it without starting it again', () => {
    const done = stateOf(merge(followed(5, 'text'), append(stored('a1', { parentId: 'u1', credits: 2 }))))
    expect(done.live).toBeNull()
    expect(done.messages.at(-1)).toMatchObject({ state: 'complete', content: 'text of a1', credits: 2 })
    expect(merge(done, append(generating)).type).toBe('keep')
  })
})

describe('an answer that continues after its end', () => {
  const again = stored('a1', { content: '', status: 'generating', parentId: 'u1', generationId: 'g2' })

  it('is followed in its row, whose text stays until there is more', () => {
    const begun = stateOf(merge(shown, append(again)))
    expect(begun.live).toMatchObject({ messageId: 'a1', streamId: 'g2', lastSeq: 0, source: 'socket' })
    expect(begun.messages.map(({ content, state }) => [content, state])).toEqual([
      ['text of u1', 'sent'],
      ['text of a1', 'generating'],
    ])
    const grown = stateOf(merge(stateOf(merge(begun, delta(1, 'text of a1'))), delta(2, ' and more')))
    expect(grown.live?.content).toBe('text of a1 and more')
  })

  it('is not started again by late events, nor if this tab reads it', () => {
    const part = { model: 'v3', credits: 1, usage: { inputTokens: 1, outputTokens: 1, estimated: false } }
    const generations = ['a1', 'g2'].map((id) => ({ id, ...part }))
    const over = thread(stored('u1'), stored('a1', { parentId: 'u1', generations }))
    expect(merge(over, append(again)).type).toBe('keep')
    expect(merge(beginContinue(shown, 'v3', 0), append(again)).type).toBe('keep')
  })
})

describe('a delta of an answer', () => {
  it('is applied once and in order; after a gap the answer continues over a stream', () => {
    const state = followed(2, 'He')
    expect(merge(state, delta(2, 'e')).type).toBe('keep')
    expect(merge(state, delta(4, 'o'))).toEqual({ type: 'resume' })
    expect(stateOf(merge(state, delta(3, 'llo'))).live?.content).toBe('Hello')
  })

  it('waits for the text before it', () => {
    expect(merge(followed(null), delta(7, 'x')).type).toBe('keep')
  })

  it('is ignored by a tab that reads the answer itself, and after its end', () => {
    const own = beginResume(thread(stored('u1'), generating), 'a1', 0)
    expect(merge(own, delta(1, 'x')).type).toBe('keep')
    expect(merge(shown, delta(9, 'x')).type).toBe('keep')
    expect(merge(thread(stored('u0')), delta(1, 'x')).type).toBe('reload')
  })

  it('may be a tool call or search results', () => {
    const toolCall = { toolName: 'clock', toolCallId: 't', parameters: {}, status: 'running', timestamp: '' } as const
    const answer = { chatId: 'c1', messageId: 'a1' }
    const called = stateOf(merge(followed(1), { type: 'stream:tool', ...answer, seq: 2, toolCall }))
    const results = [{ title: 'T', url: 'u', domain: 'd' }]
    const found = stateOf(merge(called, { type: 'stream:websearch', ...answer, seq: 3, results }))
    expect(found.live?.toolCalls).toMatchObject([{ toolName: 'clock', status: 'running' }])
    expect(found.live?.webSearch).toMatchObject({ results, stage: 'searching' })
  })
})

describe('a change of a chat', () => {
  const update = (fields: { title?: string; archived?: true; lastMessageId?: string }): ChatEvent => ({
    type: 'chat:update',
    chatId: 'c1',
    updatedAt: '2030-01-01T00:00:00Z',
    ...fields,
  })

  it('sets and clears the archived state', () => {
    const archived = stateOf(merge(shown, update({ archived: true })))
    expect(archived.archived).toBe(true)
    expect(merge(archived, update({ archived: true })).type).toBe('keep')
    expect(stateOf(merge(archived, update({}))).archived).toBe(false)
  })

  it('sets the title, and causes a reload if another version is shown', () => {
    expect(stateOf(merge(shown, update({ title: 'New' }))).title).toBe('New')
    expect(merge(shown, update({ title: 'Chat', lastMessageId: 'a1' })).type).toBe('keep')
    expect(merge(shown, update({ lastMessageId: 'a2' })).type).toBe('reload')
    expect(merge(sending(shown), update({ lastMessageId: 'a2' })).type).toBe('later')
  })
})

it('an answer whose source is lost keeps its shown text', () => {
  expect(detachLive(followed(4, 'Hello'))).toMatchObject({
    live: null,
    messages: [{}, { content: 'Hello', state: 'generating' }],
  })
})
