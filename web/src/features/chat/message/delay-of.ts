import type { HeardDelay } from '../thread/heard-delay.ts'
import type { LiveAnswer } from '../thread/live-answer.ts'

/** Milliseconds of a wait that are worth counting down. */
const countedMs = 2_000

/** Why an answer does not come yet, to be said at once. */
export type Delay =
  | {
      readonly text: 'thread.delay.busy' | 'thread.delay.failing'
      /** Whole seconds until the next try, and those that there were at first. */
      readonly seconds: number
      readonly ofSeconds: number
    }
  | { readonly text: 'thread.delay.again'; readonly attempt: number; readonly of: number }
  /** Models by their ids. */
  | { readonly text: 'thread.delay.fallback'; readonly asked: string; readonly model: string }

/** What the thread says at time `now` of the delay that was heard of in its chat; null when it is none of this answer, or something has come since. */
export function delayOf(live: LiveAnswer, heard: HeardDelay | null, now: number): Delay | null {
  if (heard === null || !isOf(live, heard) || !holds(live, heard)) return null
  const { delay, at } = heard
  if (delay.state === 'falling-back') return { text: 'thread.delay.fallback', asked: delay.from, model: delay.model }
  const leftMs = at + delay.waitMs - Math.max(now, at)
  if (delay.waitMs < countedMs || leftMs <= 0) {
    return { text: 'thread.delay.again', attempt: delay.attempt, of: delay.of }
  }
  const text = delay.reason === 'busy' ? 'thread.delay.busy' : 'thread.delay.failing'
  return { text, seconds: Math.ceil(leftMs / 1000), ofSeconds: Math.ceil(delay.waitMs / 1000) }
}

/** Whoever sends learns the answer's id with its first event only, and then hears of no other answer in the chat. */
const isOf = ({ messageId, startedAt }: LiveAnswer, heard: HeardDelay): boolean =>
  messageId === null ? heard.at >= startedAt : heard.messageId === messageId

const holds = ({ stopping, outcome, connection, lastSeq, heardAt }: LiveAnswer, { at }: HeardDelay): boolean =>
  !stopping && outcome === null && connection === 'connected' && ((lastSeq ?? 0) === 0 || at >= heardAt)
