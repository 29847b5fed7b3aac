import { describe, expect, it } from 'vitest'
import type { WebSearch } from '../../../../shared/message/answer-parts.ts'
import {
  type AnswerEvent,
  type AnswerMessage,
  type AnswerStep,
  decodeLine,
  decodeMessage,
} from '../../stream/answer-event.ts'
import { emptyAnswer, type LiveAnswer, reduceAnswer } from './live-answer.ts'
import { newAnswer, withLive } from './thread-message.ts'

const event = (seq: number, fields: AnswerEvent): AnswerStep => ({ type: 'event', seq, event: fields })
const text = (seq: number, delta: string) => event(seq, { type: 'text', delta })
const reasoning = (seq: number, delta: string) => event(seq, { type: 'reasoning', delta })
const snapshot = (seq: number, content: string): AnswerStep => ({ type: 'snapshot', seq, content, reasoning: '' })
const run = (steps: readonly AnswerStep[], live: LiveAnswer = emptyAnswer('row', 1000)): LiveAnswer =>
  steps.reduce((state, step) => reduceAnswer(state, step, 1000), live)

/** An answer that has received `Hel` as event 1, or one that waits for a snapshot. */
const begun = run([text(1, 'Hel')])
const search = (stage: WebSearch['stage']): WebSearch => ({ query: 'tea', results: [], stage })
const searching = (stage: WebSearch['stage']): LiveAnswer => ({ ...begun, webSearch: search(stage) })
const unplaced: LiveAnswer = { ...emptyAnswer('row', 1000, 'm'), lastSeq: null }

it.each<[given: string, when: string, LiveAnswer, AnswerStep[], expected: Partial<LiveAnswer>]>([
  ['with one event', 'the next one', begun, [text(2, 'lo')], { content: 'Hello', lastSeq: 2 }],
  ['with one event', 'the same one again', begun, [text(1, 'Hel')], { content: 'Hel', lastSeq: 1 }],
  ['with one event', 'one after a gap', begun, [text(3, '!')], { content: 'Hel', lastSeq: 1, missesEvents: true }],
  ['with one event', 'two in the wrong order', begun, [text(3, '!'), text(2, 'lo')], { content: 'Hello', lastSeq: 2 }],
  ['with one event', 'a thought', begun, [reasoning(2, 'Hm')], { content: 'Hel', reasoning: 'Hm', phase: 'writing' }],
  ['with one event', 'a later snapshot', begun, [snapshot(4, 'Hello you')], { content: 'Hello you', lastSeq: 4 }],
  ['with one event', 'an older snapshot', begun, [snapshot(0, '')], { content: 'Hel', lastSeq: 1 }],
  ['with one event', 'a restart', begun, [{ type: 'restart' }, text(1, 'A')], { key: 'row', content: 'A', lastSeq: 1 }],
  ['that is being stopped', 'a restart', { ...begun, stopping: true }, [{ type: 'restart' }], { stopping: true }],
  ['with a search', 'the first words', searching('reading'), [text(2, 'A')], { webSearch: search('done') }],
  ['with a failed search', 'the first words', searching('failed'), [text(2, 'A')], { webSearch: search('failed') }],
  [
    'after a gap',
    'a later snapshot and the next event',
    run([text(3, '!')], begun),
    [snapshot(3, 'Hello!'), text(4, '!')],
    { content: 'Hello!!', lastSeq: 4, missesEvents: false },
  ],
  ['of unknown length', 'an event', unplaced, [text(7, 'x')], { content: '', lastSeq: null, missesEvents: false }],
  [
    'of unknown length',
    'a snapshot and the next event',
    unplaced,
    [snapshot(6, 'He'), text(7, 'y')],
    { content: 'Hey' },
  ],
  ['of unknown length', 'an empty snapshot', unplaced, [snapshot(0, '')], { lastSeq: 0, phase: 'waiting' }],
])('an answer %s applies %s', (_given, _when, live, steps, expected) => {
  expect(run(steps, live)).toMatchObject(expected)
})

it('an answer keeps the memories it used, or that memory was unavailable, until it has ended', () => {
  const used = [{ id: 'm1', text: 'I like tea' }]
  expect(run([event(1, { type: 'memories', used }), text(2, 'Tea.')])).toMatchObject({
    memoriesUsed: used,
    memoryUnavailable: false,
  })
  const unavailable = run([event(1, { type: 'memoryUnavailable' }), text(2, 'Tea.')])
  expect(unavailable).toMatchObject({ memoriesUsed: [], memoryUnavailable: true })
  expect(withLive(newAnswer('row', 'v3', 1000), unavailable).memoryUnavailable).toBe(true)
})

it('an answer is the same whether its events arrive as lines of a stream or as socket messages', () => {
  const answer = { chatId: 'c', messageId: 'm' }
  const call = { toolName: 'clock', toolCallId: 't', parameters: { zone: 'UTC' } }
  const page = { url: 'u', title: 'Tea', domain: 'd' }
  const lines = [
    { reasoning: 'Hm' },
    { tool_call_start: call },
    { web_search_url: page.url, title: page.title, domain: page.domain },
    { text: 'Yes' },
  ].map((line, index) => event(index + 1, decodeLine(JSON.stringify(line))))
  const messages: AnswerMessage[] = [
    { type: 'stream:delta', ...answer, seq: 1, reasoning: 'Hm' },
    { type: 'stream:tool', ...answer, seq: 2, toolCall: { ...call, status: 'running', timestamp: '' } },
    { type: 'stream:websearch', ...answer, seq: 3, results: [page] },
    { type: 'stream:delta', ...answer, seq: 4, text: 'Yes' },
  ]
  const ofSocket = run(messages.map(decodeMessage))
  expect(ofSocket).toEqual(run(lines))
  expect(ofSocket).toMatchObject({ content: 'Yes', reasoning: 'Hm', lastSeq: 4 })
})

describe('reduceAnswer', () => {
  it('measures the thinking from its first word to the first word of the answer', () => {
    let live = reduceAnswer(emptyAnswer('row', 0), reasoning(1, 'Hm'), 1000)
    expect(live).toMatchObject({ phase: 'thinking', thinkingMs: null })
    live = reduceAnswer(live, reasoning(2, ', well'), 2000)
    live = reduceAnswer(live, text(3, 'Yes'), 7000)
    live = reduceAnswer(live, text(4, '.'), 9000)
    expect(live).toMatchObject({ reasoning: 'Hm, well', content: 'Yes.', thinkingMs: 6000 })
  })

  it('does not measure the thinking by the speed of a resumed stream', () => {
    let live = reduceAnswer(emptyAnswer('row', 0, 'm'), reasoning(1, 'Hm'), 1000)
    live = reduceAnswer(live, text(2, 'Yes'), 1001)
    live = reduceAnswer(live, text(3, '.'), 9000)
    expect(live.thinkingMs).toBeNull()
    let slow = reduceAnswer(emptyAnswer('row', 0, 'm'), reasoning(1, 'Hm'), 1000)
    slow = reduceAnswer(slow, text(2, 'Yes'), 3000)
    expect(slow.thinkingMs).toBe(2000)
  })

  it('takes ids and title from the start event', () => {
    const start = {
      type: 'start',
      chatId: 'c',
      messageId: 'm',
      streamId: 'm',
      userMessageId: 'u',
      model: 'v3',
      title: 'Hi',
    } as const
    expect(run([event(1, start)])).toMatchObject({ chatId: 'c', messageId: 'm', userMessageId: 'u', title: 'Hi' })
  })

  it('counts unknown events, so that the next one is no gap', () => {
    expect(run([event(1, { type: 'other' }), text(2, 'a')]).content).toBe('a')
  })

  it('returns the same object if nothing changes', () => {
    expect(reduceAnswer(begun, text(1, 'Hel'), 2000)).toBe(begun)
    expect(reduceAnswer(begun, { type: 'connection', state: 'connected' }, 2000)).toBe(begun)
  })
})
