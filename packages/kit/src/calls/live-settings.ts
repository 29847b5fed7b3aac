import { authInternalRoutes, type SettingsAnswer } from '@parley/contracts'
import { createFreshValue } from '../async/fresh.ts'
import type { Clock } from '../ids.ts'
import type { ServiceClient } from './service-client.ts'

const usualMaxAgeMs = 30_000

/** The settings as every service but auth sees them. */
export interface LiveSettings {
  /**
   * At most 30 s old and dropped at once on the signal of a change.
   * @throws AppError unavailable when auth cannot be asked and nothing recent is known
   */
  current(): Promise<SettingsAnswer>
  /** The last known settings, however old; undefined before the first success. For limits, which fail soft. */
  lastKnown(): SettingsAnswer | undefined
  /** The handler of the `settings-changed` signal. */
  drop(): void
}

/**
 * Asks auth on demand; concurrent callers share one question.
 * @param maxAgeMs for a service that receives no signals, instead of 30 s
 */
export function createLiveSettings(client: ServiceClient, now: Clock, maxAgeMs: number = usualMaxAgeMs): LiveSettings {
  const fresh = createFreshValue<SettingsAnswer>({ maxAgeMs, now })
  let known: SettingsAnswer | undefined
  const ask = async (): Promise<SettingsAnswer> => {
    const { settings } = await client.call(authInternalRoutes.settings, {})
    known = settings
    return settings
  }
  return {
    current: () => fresh.get(ask),
    lastKnown: () => known,
    drop: fresh.drop,
  }
}
