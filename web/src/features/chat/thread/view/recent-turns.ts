import { useMemo, useState } from 'react'
import type { ThreadMessage } from '../state/thread-message.ts'

/** A question with its answer, or an answer whose question is in the virtual list. */
interface Turn {
  readonly key: string
  /** Index of its first message in the thread. */
  readonly start: number
  readonly messages: readonly ThreadMessage[]
}

interface Shown {
  /** The last message is not that of the chat. */
  readonly unfinished: boolean
  /** The end of the thread is in view or followed. */
  readonly stuck: boolean
}

const mostTurns = 30
const turnsKept = 10

/**
 * Divides a thread into the `rows` of the virtual list and the `turns` after it: the last one when the thread was opened, and all since. Nothing moves into
 * the list while the user may see it, since it would be rendered anew, nor while they read, since the list only estimates the heights of its rows.
 */
export function useRecentTurns(messages: readonly ThreadMessage[], { unfinished, stuck }: Shown) {
  const [first, setFirst] = useState<string>()
  const start = unfinished ? messages.length : startOfRecent(messages, first, stuck)
  const key = messages[start]?.key
  if (key !== first) setFirst(key)
  const rows = useMemo(() => messages.slice(0, start), [messages, start])
  const turns = useMemo(() => turnsFrom(messages, start), [messages, start])
  return { rows, turns }
}

/**
 * Index of the first recent message.
 * @param first its key until now
 * @param mayShrink of more than 30 turns the last 10 remain
 */
export function startOfRecent(
  messages: readonly ThreadMessage[],
  first: string | undefined,
  mayShrink: boolean,
): number {
  const known = first === undefined ? -1 : messages.findLastIndex(({ key }) => key === first)
  if (known < 0) return startOfLastTurn(messages)
  const questions = questionsFrom(messages, known)
  return mayShrink && questions.length > mostTurns ? (questions.at(-turnsKept) ?? known) : known
}

function startOfLastTurn(messages: readonly ThreadMessage[]): number {
  const [before, last] = messages.slice(-2).map(({ role }) => role)
  if (before === 'user' && last === 'assistant') return messages.length - 2
  return messages.at(-1)?.role === 'assistant' ? messages.length - 1 : messages.length
}

/** Indices of the questions from index `start` on. */
const questionsFrom = (messages: readonly ThreadMessage[], start: number): number[] =>
  messages.slice(start).flatMap(({ role }, nth) => (role === 'user' ? [start + nth] : []))

function turnsFrom(messages: readonly ThreadMessage[], start: number): Turn[] {
  const starts = [...new Set([start, ...questionsFrom(messages, start)])]
  return starts.flatMap((from, nth) => {
    const [first, ...others] = messages.slice(from, starts[nth + 1])
    return first ? [{ key: first.key, start: from, messages: [first, ...others] }] : []
  })
}
