import { setTimeout as delay } from 'node:timers/promises'

/** Polling interval, in milliseconds. */
const everyMs = 250
/** Time-out of an answer, in milliseconds: longer than a service waits for a hanging engine, which may be optional. */
const answerMs = 3_000

/** The last known readiness of a process. */
export interface ReadinessWatch {
  readonly ready: boolean
  /** Call when the process has ended, to discard an answer in flight. */
  lost(): void
  close(): void
}

/** Polls `/readyz`. Anything but a 200 in time means not ready. */
export function watchReadiness(url: string): ReadinessWatch {
  const closed = new AbortController()
  let ready = false
  let processes = 0
  const watch = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      const asked = processes
      const answer = await isReady(url, closed.signal)
      if (asked === processes) ready = answer
      // Rejects when closed.
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
    // Not listening, or hanging.
    return false
  }
}
