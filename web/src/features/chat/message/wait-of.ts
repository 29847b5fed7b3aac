import type { LiveAnswer } from '../thread/live-answer.ts'

/** Milliseconds of silence that are worth a word. */
const silenceMs = 3_000
/** Milliseconds after which waiting is unusual. */
const longMs = 20_000

/** What a silent answer is waited for: its first words, the end of thoughts that are not shown, or more of it; `long` when that is unusual. */
export interface Wait {
  readonly text: 'thread.wait.answer' | 'thread.wait.thoughts' | 'thread.wait.more' | 'thread.wait.long'
  /** Whole seconds without anything to be seen. */
  readonly seconds: number
}

/** What the thread says of an answer at time `now`, of which nothing new is to be seen; null while there is nothing to say. */
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

/** What else is shown tells why nothing comes: a lost connection, an image, a search, a tool that runs. */
const saysItself = ({ connection, source, webSearch, toolCalls }: LiveAnswer): boolean =>
  connection !== 'connected' ||
  source === 'image' ||
  webSearch?.stage === 'searching' ||
  webSearch?.stage === 'reading' ||
  toolCalls.some(({ status }) => status === 'pending' || status === 'running')
