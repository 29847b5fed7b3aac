import { setTimeout as delay } from 'node:timers/promises'
import { withTimeout } from '@parley/kit'
import type { Redis } from 'ioredis'
import { blockMs, createBlockingRead, type StreamRow } from './redis-blocking-read.ts'
import { openConnection } from './redis-connection.ts'
import type { RedisLink, RedisLinkOptions } from './redis-link.ts'
import { isAfter } from './redis-row-id.ts'
import { runScript } from './redis-script.ts'
import { lastIds } from './redis-stream-scripts.ts'
import { asUnavailable, RedisUnavailableError } from './redis-unavailable.ts'

/** Milliseconds between two looks at where the streams end: the engine does not tell that one is gone. */
const lookEveryMs = 1_000
const tickMs = 250
/** Milliseconds of silence after which others may have tried in vain to write. */
const disconnectedMs = 1_000
/** Milliseconds of silence that followers tolerate, such as while a broken connection is replaced. */
const patienceMs = 1_500
/** Milliseconds for the first rows after a new connection, when its health is checked. */
const readyMs = 2_000
/**
 * A question costs more the more streams it names: then what comes within a moment is read together. Milliseconds for each stream, and at most.
 * A few streams are read without a pause.
 */
const pauseMs = { each: 0.2, most: 20 }

/** A follower of one stream. No method throws. */
export interface StreamFollower {
  readonly key: string
  /** The id after which rows are wanted; undefined while none are wanted. */
  after(): string | undefined
  /** Takes rows in their order: those after `after()`, and maybe some before. */
  onRows(rows: readonly StreamRow[]): void
  /**
   * Takes where the stream ends, after each new connection and then every second.
   * @param last id of the last row; empty when there is no stream
   * @param wasDisconnected the engine was unavailable for more than a moment since the look before
   */
  look(last: string, wasDisconnected: boolean): void
  /** Called again and again while the engine has been unavailable for longer than a broken connection takes. */
  cutOff?(): void
}

export type RedisStreamReader = ReturnType<typeof openRedisStreamReader>

export interface RedisStreamReaderOptions extends Pick<RedisLinkOptions, 'url' | 'name' | 'log'> {
  /** Interrupts the question that the engine holds, and knows how the engine is. */
  readonly link: RedisLink
}

/**
 * Reads all streams that this process follows, by one question at a time on a connection of its own. Never throws: waits for an engine that is
 * unavailable. At least one follower always wants rows.
 */
export function openRedisStreamReader({ url, name, link, log }: RedisStreamReaderOptions) {
  const redis = openConnection(url, name)
  const followers = new Set<StreamFollower>()
  const waiting = new Set<() => void>()
  let connections = 0
  let isReady = false
  let lastError: unknown
  const report = (error: unknown): void => {
    // The link logs outages.
    if (asUnavailable(error) === undefined) log.error({ err: error }, 'streams in Redis could not be read')
  }
  const cutOffAll = (): void => {
    for (const follower of [...followers]) follower.cutOff?.()
  }
  const blockingRead = createBlockingRead(redis, link, report)
  const silence = watchSilence(redis, link, { report, lasts: cutOffAll })
  const look = async (): Promise<void> => {
    const looking = [...followers]
    const keys = looking.map(({ key }) => key)
    const ids = (await runScript(redis, lastIds, keys, [])) as string[]
    silence.ended()
    const wasDisconnected = silence.takeDisconnected()
    for (const [index, follower] of looking.entries()) follower.look(ids[index] ?? '', wasDisconnected)
    isReady = true
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  const ask = async (): Promise<void> => {
    const asked = wantedBy(followers)
    const answer = await blockingRead.rows(asked)
    silence.ended()
    if (answer === null) return
    for (const [key, rows] of answer) for (const follower of asked.get(key)?.followers ?? []) follower.onRows(rows)
    const pause = Math.floor(Math.min(asked.size * pauseMs.each, pauseMs.most))
    if (pause > 0) await delay(pause)
  }
  const readOn = async (connection: number): Promise<void> => {
    await blockingRead.connected()
    for (let lookedAt = Number.NEGATIVE_INFINITY; connection === connections; ) {
      if (performance.now() - lookedAt >= lookEveryMs) {
        lookedAt = performance.now()
        await look()
      }
      await ask()
    }
  }
  redis.on('error', (error: unknown) => {
    lastError = error
  })
  redis.on('ready', () => {
    connections += 1
    readOn(connections).catch((error: unknown) => {
      isReady = false
      lastError = error
      if (redis.status !== 'ready') return
      report(error)
      redis.disconnect(true)
    })
  })
  return {
    follow(follower: StreamFollower) {
      followers.add(follower)
      void blockingRead.interrupt()
      return {
        /** `after()` has become defined. */
        wantsMore: () => void blockingRead.interrupt(),
        end: () => void followers.delete(follower),
      }
    },
    /** Resolves once everybody who follows a stream knows where it ends. @throws RedisUnavailableError when that takes too long */
    async ready(): Promise<void> {
      if (isReady) return
      const outage = (): RedisUnavailableError =>
        asUnavailable(lastError) ?? new RedisUnavailableError('unreachable', lastError)
      await withTimeout(readyMs, new Promise<void>((resolve) => waiting.add(resolve)), outage)
    },
    /** Cuts everybody off. */
    close(): void {
      silence.close()
      cutOffAll()
      redis.disconnect()
    },
  }
}

/** Watches for how long the engine has answered nothing. @param lasts called while that is longer than followers tolerate */
function watchSilence(
  redis: Redis,
  link: RedisLink,
  { report, lasts }: { readonly report: (error: unknown) => void; readonly lasts: () => void },
) {
  // In ticks of this process, so that a pause of its own is not mistaken for the engine's silence.
  let silentMs = 0
  let isDisconnected = false
  const timer = setInterval(() => {
    silentMs += tickMs
    if (silentMs > blockMs + tickMs) link.health().catch(report)
    const isUnavailable = link.unavailableMs() > 0 || redis.status !== 'ready'
    if (isUnavailable && silentMs >= disconnectedMs) isDisconnected = true
    if (link.unavailableMs() > patienceMs || (isUnavailable && silentMs > patienceMs)) lasts()
  }, tickMs).unref()
  return {
    /** The engine has answered. */
    ended(): void {
      silentMs = 0
    },
    /** Whether others may have tried in vain to write since the last call. */
    takeDisconnected(): boolean {
      const wasDisconnected = isDisconnected
      isDisconnected = false
      return wasDisconnected
    },
    close: () => clearInterval(timer),
  }
}

/** The wanted rows of each stream: those after the earliest id that one of its followers names. */
function wantedBy(followers: Iterable<StreamFollower>): Map<string, { after: string; followers: StreamFollower[] }> {
  const wanted = new Map<string, { after: string; followers: StreamFollower[] }>()
  for (const follower of followers) {
    const after = follower.after()
    if (after === undefined) continue
    const stream = wanted.get(follower.key)
    if (stream === undefined) wanted.set(follower.key, { after, followers: [follower] })
    else {
      stream.followers.push(follower)
      if (isAfter(stream.after, after)) stream.after = after
    }
  }
  return wanted
}
