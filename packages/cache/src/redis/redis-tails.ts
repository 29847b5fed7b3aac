import type { RedisKeys } from './redis-keys.ts'
import type { RedisLink } from './redis-link.ts'
import { type LogEnd, parseEnd } from './redis-log-end.ts'
import { runScript } from './redis-script.ts'
import { tails as readTails } from './redis-stream-scripts.ts'
import type { RedisSubscriber } from './redis-subscriber.ts'
import { createTail, type Tail } from './redis-tail.ts'

/** Milliseconds after which a log that nothing was heard of is looked at. */
const lookEveryMs = 1_000
/** Logs in one look. */
const logsAtOnce = 200

/** A tail that a reader watches. */
export interface Watching {
  readonly tail: Tail
  /** Resolves when the tail hears what is appended from now on, or that cannot be had now. */
  readonly tried: Promise<void>
  end(): void
}

/** The tails of all logs that are read here: one connection and one look for all of them. */
export interface Tails {
  watch(streamId: string): Watching
  /** Looks at every log now, as messages were missed. */
  look(): void
  /** Ends every reader. */
  stop(): void
}

/** What tails need. */
export interface TailsOptions {
  readonly link: RedisLink
  readonly subscriber: RedisSubscriber
  readonly keys: RedisKeys
  /** Readers of an engine that is away for longer are ended. Milliseconds. */
  readonly patienceMs: number
}

interface Watched {
  readonly tail: Tail
  readonly tried: Promise<void>
  readonly end: () => void
  readers: number
}

/** Watches nothing yet. */
export function createTails({ link, subscriber, keys, patienceMs }: TailsOptions): Tails {
  const watched = new Map<string, Watched>()
  const endAll = (): void => {
    for (const { tail } of watched.values()) tail.learn(undefined, tail.end())
  }
  const look = async (isDue: (tail: Tail) => boolean): Promise<void> => {
    const due = [...watched].filter(([, { tail }]) => isDue(tail))
    for (let from = 0; from < due.length; from += logsAtOnce) {
      const logs = due.slice(from, from + logsAtOnce).map(([id, { tail }]) => ({ id, tail, asked: tail.end() }))
      const ends = await readEnds(
        link,
        logs.map(({ id }) => keys.stream(id)),
      )
      for (const [index, { tail, asked }] of logs.entries()) tail.learn(ends[index], asked)
    }
  }
  let looking = false
  const lookAtQuietOnes = async (): Promise<void> => {
    if (looking) return
    looking = true
    try {
      await look((tail) => !tail.takeHeard())
    } catch {
      // The link logs its outages. Short ones are waited out.
      if (link.awayMs() > patienceMs) endAll()
    } finally {
      looking = false
    }
  }
  const timer = setInterval(() => void lookAtQuietOnes(), lookEveryMs).unref()
  const start = (streamId: string): Watched => {
    const tail = createTail()
    const { tried, end } = subscriber.listen(keys.streamChannel(streamId), tail.hear)
    const started = { tail, tried, end, readers: 0 }
    watched.set(streamId, started)
    return started
  }
  return {
    watch(streamId) {
      const log = watched.get(streamId) ?? start(streamId)
      log.readers += 1
      return {
        tail: log.tail,
        tried: log.tried,
        end() {
          log.readers -= 1
          if (log.readers > 0) return
          watched.delete(streamId)
          log.end()
        },
      }
    },
    // The timer looks again at what cannot be had now.
    look: () => void look(() => true).catch(() => undefined),
    stop() {
      clearInterval(timer)
      endAll()
    },
  }
}

async function readEnds(link: RedisLink, keys: readonly string[]): Promise<(LogEnd | undefined)[]> {
  const reply = await link.run((redis) => runScript(redis, readTails, keys, []))
  return (reply as string[]).map(parseEnd)
}
