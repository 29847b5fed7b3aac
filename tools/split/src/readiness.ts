import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** Polling intervals, in milliseconds: of a process that starts, and of one that is ready, when nothing waits for the answer. */
const everyMs = { unready: 250, ready: 500 }
/** Time-out of an answer, in milliseconds: longer than a service waits for a hanging engine, which may be optional. */
const answerMs = 3_000

/** The last known readiness of a process, by polling `/readyz`. Anything but a 200 in time means not ready. */
export function watchReadiness(url: string) {
  const closed = new AbortController()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let ready = false
  let processes = 0
  const watch = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      const asked = processes
      const answer = await isReady(url, agent)
      if (asked === processes) ready = answer
      // Rejects when closed.
      await delay(ready ? everyMs.ready : everyMs.unready, undefined, { signal: closed.signal }).catch(() => undefined)
    }
  }
  void watch()
  return {
    get ready() {
      return ready
    },
    /** Call when the process has ended, to discard an answer in flight. */
    lost(): void {
      processes += 1
      ready = false
    },
    close(): void {
      closed.abort()
      agent.destroy()
    },
  }
}

const isReady = (url: string, agent: Agent): Promise<boolean> =>
  new Promise((resolve) => {
    // Not `fetch`, which costs three times as much: eighteen processes are asked twice a second.
    const request = get(`${url}/readyz`, { agent, timeout: answerMs }, (response) => {
      response.resume().once('close', () => resolve(response.complete && response.statusCode === 200))
    })
    // Hanging, or not listening.
    request.once('timeout', () => request.destroy()).once('error', () => resolve(false))
  })
