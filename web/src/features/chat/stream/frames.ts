import { createParser } from 'eventsource-parser'
import type { OnWake } from '../../../shared/live/wake.ts'

/** One event as it was on the wire. */
export interface Frame {
  readonly id: string | undefined
  readonly data: string
}

/** When silence means that a connection is dead although nobody closed it, in milliseconds. The server sends a sign of life every 15 s. */
export interface SilenceLimits {
  readonly idleMs: number
  /** Silence that is enough when the tab has just come back. */
  readonly wakeIdleMs: number
  /** Silence that is enough when the network has just come back, or the machine from its sleep. */
  readonly networkIdleMs: number
}

/**
 * The frames of an event stream, until it ends or dies. Throws what the body throws; after too long a silence it calls
 * `cut`, which has to abort the request.
 */
export async function* readFrames(
  body: ReadableStream<Uint8Array>,
  { limits, onWake, cut }: { limits: SilenceLimits; onWake: OnWake; cut: () => void },
): AsyncGenerator<Frame, void> {
  const ready: Frame[] = []
  const parser = createParser({ onEvent: ({ id, data }) => ready.push({ id, data }) })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const watchdog = watchSilence(limits, onWake, cut)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      watchdog.touch()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      yield* ready.splice(0)
    }
  } finally {
    watchdog.stop()
    // The reader may be left early; the rest of the body is not wanted then, and a body that failed cannot be cancelled.
    await reader.cancel().catch(() => undefined)
  }
}

function watchSilence({ idleMs, wakeIdleMs, networkIdleMs }: SilenceLimits, onWake: OnWake, cut: () => void) {
  // The wall clock, as the monotonic one stands still while a laptop sleeps.
  let lastByteAt = Date.now()
  let timer = setTimeout(cut, idleMs)
  const stopListening = onWake((cause) => {
    if (Date.now() - lastByteAt > (cause === 'network' ? networkIdleMs : wakeIdleMs)) cut()
  })
  return {
    touch: () => {
      lastByteAt = Date.now()
      clearTimeout(timer)
      timer = setTimeout(cut, idleMs)
    },
    stop: () => {
      clearTimeout(timer)
      stopListening()
    },
  }
}
