import { authInternalRoutes, type SettingsAnswer } from '@parley/contracts'
import { createFreshValue } from '../async/fresh.ts'
import type { Clock } from '../ids.ts'
import type { ServiceClient } from './service-client.ts'

const usualMaxAgeMs = 30_000

export type LiveSettings = ReturnType<typeof createLiveSettings>

/**
 * The settings as every service but auth sees them: asks auth on demand; concurrent callers share one question.
 * @param maxAgeMs for a service that receives no signals, instead of 30 s
 */
export function createLiveSettings(client: ServiceClient, now: Clock, maxAgeMs: number = usualMaxAgeMs) {
  const fresh = createFreshValue<SettingsAnswer>({ maxAgeMs, now })
  let known: SettingsAnswer | undefined
  const ask = async (): Promise<SettingsAnswer> => {
    const { settings } = await client.call(authInternalRoutes.settings, {})
    known = settings
    return settings
  }
  return {
    /**
     * At most 30 s old and dropped at once on the signal of a change.
     * @throws AppError unavailable when auth cannot be asked and nothing recent is known
     */
    current: () => fresh.get(ask),
    /** The last known settings, however old; undefined before the first success. For limits, which fail soft. */
    lastKnown: () => known,
    /** The handler of the `settings-changed` signal. */
    drop: fresh.drop,
  }
}
