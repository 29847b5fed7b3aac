import { apiFetch, endpoints } from '../../shared/api/index.ts'
import { getSession, setRights } from '../../shared/session/index.ts'
import { readUserUpdates, reconnectDelay } from './user-updates.ts'

// The server gives a sign of life every 15 s; three missed ones mean that the connection is dead without having been closed.
const silenceMs = 45_000

async function followOnce(signal: AbortSignal, onConnected: () => void): Promise<void> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silenceMs)
  const onSign = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), silenceMs)
  }
  try {
    const response = await apiFetch(endpoints.userEvents.path, {
      headers: { accept: 'text/event-stream' },
      signal: AbortSignal.any([signal, silence.signal]),
      timeoutMs: 0,
    })
    onConnected()
    if (response.body) await readUserUpdates(response.body, setRights, onSign)
  } finally {
    clearTimeout(timer)
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/**
 * Keeps the session's rights as the server pushes them until `signal` aborts or the sign-in ends. `onConnected` runs at each connection:
 * what happened before it was not pushed and has to be asked for.
 */
export async function followUser(signal: AbortSignal, onConnected: () => void): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      await followOnce(signal, () => {
        failures = 0
        onConnected()
      })
    } catch {
      // A cut or refused connection is tried again; whether the sign-in is over shows in the session.
    }
    if (getSession().token === null) return
    await pause(reconnectDelay(failures++, Math.random()), signal)
  }
}
