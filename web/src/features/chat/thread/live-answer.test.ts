import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from '../stream/answer-event.ts'
import type { AnswerStep } from '../stream/read-answer.ts'
import { emptyAnswer, type LiveAnswer, reduceAnswer } from './live-answer.ts'

const event = (seq: number, fields: AnswerEvent): AnswerStep => ({ type: 'event', seq, event: fields })
const text = (seq: number, delta: string) => event(seq, { type: 'text', delta })
const reasoning = (seq: number, delta: string) => event(seq, { type: 'reasoning', delta })
const run = (steps: readonly AnswerStep[], at = 1000): LiveAnswer =>
  steps.reduce((live, step) => reduceAnswer(live, step, at), emptyAnswer('row', at))

describe('reduceAnswer', () => {
  it('adds up the text', () => {
    expect(run([text(1, 'Hel'), text(2, 'lo')])).toMatchObject({ content: 'Hello', phase: 'writing', lastSeq: 2 })
  })

  it('drops an event that comes twice, and one after a gap', () => {
    expect(run([text(1, 'a'), text(1, 'a'), text(3, 'c'), text(2, 'b')]).content).toBe('ab')
  })

  it('measures the thinking from its first word to the first word of the answer', () => {
    let live = reduceAnswer(emptyAnswer('row', 0), reasoning(1, 'Hm'), 1000)
    expect(live).toMatchObject({ phase: 'thinking', thinkingMs: null })
    live = reduceAnswer(live, reasoning(2, ', well'), 2000)
    live = reduceAnswer(live, text(3, 'Yes'), 7000)
    live = reduceAnswer(live, text(4, '.'), 9000)
    expect(live).toMatchObject({ reasoning: 'Hm, well', content: 'Yes.', thinkingMs: 6000 })
  })

  it('does not take the speed of a resumed stream for that of the thinking', () => {
    let live = reduceAnswer(emptyAnswer('row', 0, 'm'), reasoning(1, 'Hm'), 1000)
    live = reduceAnswer(live, text(2, 'Yes'), 1001)
    live = reduceAnswer(live, text(3, '.'), 9000)
    expect(live.thinkingMs).toBeNull()
  })

  it('learns ids and title from the start', () => {
    const start = {
      type: 'start',
      chatId: 'c',
      messageId: 'm',
      userMessageId: 'u',
      model: 'v3',
      created: true,
      title: 'Hi',
    } as const
    expect(run([event(1, start)])).toMatchObject({ chatId: 'c', messageId: 'm', userMessageId: 'u', title: 'Hi' })
  })

  it('begins anew at a restart, in the same row and for the same message', () => {
    const live = run([text(1, 'a'), text(2, 'b'), { type: 'restart' }, text(1, 'A')])
    expect(live).toMatchObject({ key: 'row', content: 'A', lastSeq: 1 })
  })

  it('counts events that it does not know, so that what follows is no gap', () => {
    expect(run([event(1, { type: 'other' }), text(2, 'a')]).content).toBe('a')
  })

  it('stays the same object when nothing changes', () => {
    const live = run([text(1, 'a')])
    expect(reduceAnswer(live, text(1, 'a'), 2000)).toBe(live)
    expect(reduceAnswer(live, { type: 'connection', state: 'connected' }, 2000)).toBe(live)
  })
})
