import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds between two looks. */
const everyMs = 250
/** How long an answer may take: longer than a service waits for an engine that hangs, which it may well do without. Milliseconds. */
const answerMs = 3_000

/** What a process last said about being ready. */
export interface ReadinessWatch {
  readonly ready: boolean
  /** It has ended: an answer that is still on its way counts no more. */
  lost(): void
  close(): void
}

/** Asks `/readyz` again and again. Whatever is not a 200 in time is no. */
export function watchReadiness(url: string): ReadinessWatch {
  const closed = new AbortController()
  let ready = false
  let processes = 0
  const watch = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      const asked = processes
      const answer = await isReady(url, closed.signal)
      if (asked === processes) ready = answer
      // Being closed is the other way for the pause to end.
      await delay(everyMs, undefined, { signal: closed.signal }).catch(() => undefined)
    }
  }
  void watch()
  return {
    get ready() {
      return ready
    },
    lost() {
      processes += 1
      ready = false
    },
    close: () => closed.abort(),
  }
}

async function isReady(url: string, closed: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.any([closed, AbortSignal.timeout(answerMs)]) })
    await answer.body?.cancel()
    return answer.ok
  } catch {
    // Not there, or hanging: the same to whoever would be sent to it.
    return false
  }
}
