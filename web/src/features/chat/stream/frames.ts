import { createParser } from 'eventsource-parser'
import type { OnWake } from '../../../shared/live/wake.ts'

export interface Frame {
  readonly id: string | undefined
  readonly data: string
}

/** Silence in milliseconds after which a connection is considered dead. The server sends a heartbeat every 15 s. */
interface SilenceLimits {
  readonly idleMs: number
  /** Limit when the tab has just become visible. */
  readonly wakeIdleMs: number
  /** Limit when the network has just returned, or the machine has woken up. */
  readonly networkIdleMs: number
}

/**
 * The frames of an event stream, until it ends or dies. Throws the body's errors; after too long a silence it calls
 * `cut`, which must abort the request.
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
    // The consumer may stop early; the rest of the body is not needed then, and a failed body cannot be cancelled.
    await reader.cancel().catch(() => undefined)
  }
}

function watchSilence({ idleMs, wakeIdleMs, networkIdleMs }: SilenceLimits, onWake: OnWake, cut: () => void) {
  // Wall-clock time, because the monotonic clock stops while a laptop sleeps.
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
