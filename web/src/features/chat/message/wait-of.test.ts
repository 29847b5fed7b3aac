import { expect, it } from 'vitest'
import { emptyAnswer, type LiveAnswer } from '../thread/state/live-answer.ts'
import { waitOf } from './wait-of.ts'

const at = 100_000
const asked = emptyAnswer('row', at)
const tool = { toolName: 'finance', toolCallId: 't', parameters: {}, timestamp: '2030-01-01T00:00:00Z' }

it.each<[what: string, Partial<LiveAnswer>, ms: number, thoughtsShown: boolean, text: string | null]>([
  ['an answer that was asked for a moment ago', {}, 2_999, true, null],
  ['an answer without a word for three seconds', {}, 3_000, true, 'thread.wait.answer'],
  ['an answer without a word for very long', {}, 20_000, true, 'thread.wait.long'],
  ['an answer that stopped in the middle', { phase: 'writing', heardAt: at + 5_000 }, 9_000, true, 'thread.wait.more'],
  ['an answer that writes', { phase: 'writing', heardAt: at + 8_000 }, 9_000, true, null],
  ['thoughts that are shown', { phase: 'thinking', heardAt: at + 8_900 }, 9_000, true, null],
  ['thoughts that are hidden', { phase: 'thinking', heardAt: at + 8_900 }, 9_000, false, 'thread.wait.thoughts'],
  ['an answer that is being stopped', { stopping: true }, 9_000, true, null],
  ['a connection that was lost', { connection: 'reconnecting' }, 9_000, true, null],
  ['an image', { source: 'image' }, 9_000, true, null],
  ['a search', { webSearch: { query: '', results: [], stage: 'searching' } }, 9_000, true, null],
  ['a tool that runs', { toolCalls: [{ ...tool, status: 'running' }] }, 9_000, true, null],
  ['a tool that has answered', { toolCalls: [{ ...tool, status: 'completed' }] }, 9_000, true, 'thread.wait.answer'],
])('the progress notice of a waiting answer matches its state: %s', (_what, fields, ms, thoughtsShown, text) => {
  expect(waitOf({ ...asked, ...fields }, at + ms, thoughtsShown)?.text ?? null).toBe(text)
})
