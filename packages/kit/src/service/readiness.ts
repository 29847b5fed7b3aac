import type { Readiness } from '@parley/contracts'
import { createFreshValue } from '../async/fresh.ts'
import { withTimeout } from '../async/with-timeout.ts'
import { reasonOf } from '../errors/reason-of.ts'
import type { Logger } from '../observability/log.ts'

/** Rejects when an engine cannot be used; may resolve to how far its consumers lag behind. */
export type HealthCheck = () => Promise<unknown>

export interface ReadinessDeps {
  /** Engines that must answer, by name. */
  readonly checks: Readonly<Record<string, HealthCheck>>
  /** Engines that must have answered once, which proves their configuration, and without which work continues afterwards. */
  readonly optional?: Readonly<Record<string, HealthCheck>>
  readonly log: Logger
}

/** An engine that takes longer does not answer. Milliseconds. */
const limitMs = 2_000
/** Looks within this time share one answer, so that probes cost nothing. Milliseconds. */
const freshMs = 1_000

type EngineState = NonNullable<Readiness['engines']>[number]

/** Asks all engines at once, each for a bounded time; what stops answering is logged once per outage. */
export function createReadiness({ checks, optional = {}, log }: ReadinessDeps): () => Promise<Readiness> {
  /** Why, by name of the engine. */
  const away = new Map<string, string>()
  const look = async ([name, check]: [string, HealthCheck]): Promise<EngineState> => {
    try {
      const { lag } = ((await withTimeout(limitMs, check())) ?? {}) as { lag?: Record<string, number> }
      if (away.delete(name)) log.info({ engine: name }, 'an engine answers again')
      return { name, ready: true, ...(lag && { lag }) }
    } catch (error) {
      const reason = reasonOf(error)
      if (!away.has(name)) log.error({ engine: name, reason }, 'an engine does not answer')
      away.set(name, reason)
      return { name, ready: false }
    }
  }
  let proven = false
  const judge = async (): Promise<Readiness> => {
    const engines = await Promise.all([...Object.entries(checks), ...Object.entries(optional)].map(look))
    const failed = engines.filter(({ name, ready }) => !ready && !(proven && name in optional)).map(({ name }) => name)
    proven ||= failed.length === 0
    if (failed.length === 0) return { status: 'ready', failed, engines }
    const reasons = Object.fromEntries(failed.map((name) => [name, away.get(name) ?? '']))
    return { status: 'unready', failed, reasons, engines }
  }
  const fresh = createFreshValue<Readiness>({ maxAgeMs: freshMs })
  return () => fresh.get(judge)
}
