import { type Logger, withTimeout } from '@parley/kit'
import type { Redis } from 'ioredis'
import { openConnection } from './redis-connection.ts'
import { createOutage, type Outage } from './redis-outage.ts'
import { probeEngine } from './redis-probe.ts'
import { asUnavailable, RedisUnavailableError } from './redis-unavailable.ts'

const defaultBudgetMs = 200
/** Milliseconds for a new connection, when its health is checked. */
const firstConnectionMs = 2_000
const checkEveryMs = 250
/** Between two connections to an engine that is read-only. */
const moveEveryMs = 1_000

export type RedisLink = ReturnType<typeof openRedisLink>

export interface RedisLinkOptions {
  readonly url: string
  /** Shown in the engine's list of clients. */
  readonly name: string
  /** A key to write to. */
  readonly probe: string
  readonly log: Logger
  /** Milliseconds that a command may take; then the caller goes its local path. 200 by default. */
  readonly budgetMs?: number | undefined
}

/** The connection for commands, and whether the engine behind it is of use. Never throws: an engine that is not there yet is waited for. */
export function openRedisLink({ url, name, probe, log, budgetMs = defaultBudgetMs }: RedisLinkOptions) {
  const redis = openConnection(url, name)
  const outage = createOutage(log)
  const answered = <T>(work: Promise<T>): Promise<T> => withTimeout(budgetMs, work, () => late(budgetMs))
  const check = watch(redis, () => answered(probeEngine(redis, probe)), outage)
  const attempt = async <T>(command: (redis: Redis) => Promise<T>): Promise<T> => {
    await outage.assertConnected(budgetMs)
    try {
      return await answered(command(redis))
    } catch (error) {
      const unavailable = asUnavailable(error)
      // One late answer is no outage yet; no answer to a second question is.
      if (unavailable === error) check().catch(alreadyLogged)
      else if (unavailable !== undefined) outage.began(unavailable)
      throw unavailable ?? error
    }
  }
  return {
    /**
     * Runs a command within its budget; at once in vain while the engine is known to be away.
     * @throws RedisUnavailableError; what the engine says of a command that it does not like
     */
    run: attempt,
    /** As `run`, retried while the engine has been unavailable for no more than `patienceMs`. The command may be executed more than once. */
    async persist<T>(command: (redis: Redis) => Promise<T>, patienceMs: number): Promise<T> {
      const deadline = performance.now() + patienceMs
      for (;;) {
        try {
          return await attempt(command)
        } catch (error) {
          const left = Math.min(deadline - performance.now(), patienceMs - outage.unavailableMs())
          if (!(error instanceof RedisUnavailableError) || left <= 0) throw error
          await outage.assertConnected(left, true)
        }
      }
    },
    /** Milliseconds for which the engine has been unavailable; 0 while it is there. */
    unavailableMs: outage.unavailableMs,
    /** @throws RedisUnavailableError when the engine does not take writes now, with the reason */
    async health(): Promise<void> {
      await outage.assertConnected(firstConnectionMs)
      await check()
    },
    /** Idempotent. */
    close(): void {
      outage.close()
      redis.disconnect()
    },
  }
}

/** Follows the connection and tells `outage`. Returns how to ask the engine now; concurrent callers share one question. */
function watch(redis: Redis, probe: () => Promise<void>, outage: Outage): () => Promise<void> {
  let lastError: unknown
  let checking: Promise<void> | undefined
  let movedAt = Number.NEGATIVE_INFINITY
  const move = (): void => {
    if (performance.now() - movedAt < moveEveryMs) return
    movedAt = performance.now()
    // The name may lead to the new primary by now.
    redis.disconnect(true)
  }
  const ask = async (): Promise<void> => {
    try {
      await probe()
      outage.ended()
    } catch (error) {
      const reason = asUnavailable(error) ?? new RedisUnavailableError('unreachable', error)
      outage.began(reason)
      lastError = reason
      if (reason.kind === 'read-only') move()
      throw reason
    } finally {
      checking = undefined
    }
  }
  const check = (): Promise<void> => {
    checking ??= ask()
    return checking
  }
  const timer = setInterval(() => {
    if (outage.unavailableMs() > 0 && redis.status === 'ready') check().catch(alreadyLogged)
  }, checkEveryMs).unref()
  redis.on('error', (error: unknown) => {
    lastError = error
  })
  redis.on('close', () => outage.began(asUnavailable(lastError) ?? new RedisUnavailableError('unreachable', lastError)))
  redis.on('ready', () => void check().catch(alreadyLogged))
  redis.on('end', () => clearInterval(timer))
  return check
}

/** A failed check tells the outage, which logs it. */
const alreadyLogged = (): void => undefined

const late = (budgetMs: number): RedisUnavailableError =>
  new RedisUnavailableError('unreachable', new Error(`no answer within ${budgetMs} milliseconds`))
