import type { LiveAnswer } from '../thread/state/live-answer.ts'

/** Milliseconds of silence after which a text is shown. */
const silenceMs = 3_000
/** Milliseconds after which a wait is unusually long. */
const longMs = 20_000

/** What a silent answer is waiting for: its first words, the end of hidden reasoning, or more text; `long` if that is unusual. */
export interface Wait {
  readonly text: 'thread.wait.answer' | 'thread.wait.thoughts' | 'thread.wait.more' | 'thread.wait.long'
  /** Whole seconds without visible progress. */
  readonly seconds: number
}

/** The wait to show at time `now` for a silent answer; null when there is nothing to say. */
export function waitOf(live: LiveAnswer, now: number, thoughtsShown: boolean): Wait | null {
  const hidesThoughts = live.phase === 'thinking' && !thoughtsShown
  const silent = now - (hidesThoughts ? live.startedAt : live.heardAt)
  if (silent < silenceMs || live.stopping || live.outcome !== null || saysItself(live)) return null
  return { text: textOf(live, silent, hidesThoughts), seconds: Math.floor(silent / 1000) }
}

function textOf({ phase }: LiveAnswer, silent: number, hidesThoughts: boolean): Wait['text'] {
  if (hidesThoughts) return 'thread.wait.thoughts'
  if (silent >= longMs) return 'thread.wait.long'
  return phase === 'waiting' ? 'thread.wait.answer' : 'thread.wait.more'
}

/** Other visible states already explain the wait: a lost connection, an image, a search, a running tool. */
const saysItself = ({ connection, source, webSearch, toolCalls }: LiveAnswer): boolean =>
  connection !== 'connected' ||
  source === 'image' ||
  webSearch?.stage === 'searching' ||
  webSearch?.stage === 'reading' ||
  toolCalls.some(({ status }) => status === 'pending' || status === 'running')
