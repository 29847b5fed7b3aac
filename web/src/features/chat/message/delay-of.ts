import type { LiveAnswer } from '../thread/state/live-answer.ts'
import type { HeardDelay } from '../thread/view/heard-delay.ts'

/** Minimum wait in milliseconds that is counted down. */
const countedMs = 2_000

/** The reason for a delayed answer, shown immediately. */
export type Delay =
  | {
      readonly text: 'thread.delay.busy' | 'thread.delay.failing'
      /** Whole seconds until the next attempt, and their initial number. */
      readonly seconds: number
      readonly ofSeconds: number
    }
  | { readonly text: 'thread.delay.again'; readonly attempt: number; readonly of: number }
  /** Models by id. */
  | { readonly text: 'thread.delay.fallback'; readonly asked: string; readonly model: string }

/** The delay to show at time `now`; null when the last reported one belongs to another answer, or an event has arrived since. */
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

/** The sender learns the answer's id only with its first event; until then the chat has no other answer. */
const isOf = ({ messageId, startedAt }: LiveAnswer, heard: HeardDelay): boolean =>
  messageId === null ? heard.at >= startedAt : heard.messageId === messageId

const holds = ({ stopping, outcome, connection, lastSeq, heardAt }: LiveAnswer, { at }: HeardDelay): boolean =>
  !stopping && outcome === null && connection === 'connected' && ((lastSeq ?? 0) === 0 || at >= heardAt)
