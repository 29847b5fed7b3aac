import type { SharedMessage } from '@parley/contracts'
import { useEffect, useState } from 'react'
import { whenIdle } from '../../../shared/lazy/when-idle.ts'

/** Messages, and UTF-16 units of them, that are drawn at once: more than any screen holds. */
const mostAtOnce = 12
const lengthAtOnce = 6_000
/** Milliseconds between two drawings where a browser does not say when it is idle. */
const pauseMs = 50

/**
 * The messages to draw of those that came first: as many as fill the screen, whose number is `atFirst`, and more whenever the page is idle, until all of them are
 * drawn. `shown` is `messages` itself then, and from then on whatever is added to it.
 */
export function useFirstMessages(messages: readonly SharedMessage[]) {
  const [atFirst] = useState(() => endOfPart(messages, 0))
  const [end, setEnd] = useState(atFirst)
  const [complete, setComplete] = useState(end >= messages.length)
  useEffect(() => {
    if (complete) return
    if (end >= messages.length) return setComplete(true)
    return whenIdle(() => setEnd(endOfPart(messages, end)), pauseMs)
  }, [complete, end, messages])
  return { shown: complete ? messages : messages.slice(0, end), atFirst }
}

function endOfPart(messages: readonly SharedMessage[], from: number): number {
  let length = 0
  let end = from
  while (end < messages.length && end < from + mostAtOnce && length < lengthAtOnce) {
    length += messages[end]?.content.length ?? 0
    end += 1
  }
  return end
}
