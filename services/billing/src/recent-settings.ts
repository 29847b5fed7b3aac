import type { SettingsAnswer } from '@parley/contracts'
import { createLiveSettings, type ServiceClient, withTimeout } from '@parley/kit'

/** The current settings; undefined while they are unknown. Never rejects. */
export type RecentSettings = () => Promise<SettingsAnswer | undefined>

/** A change applies within this time, even if its signal is lost. */
const maxAgeMs = 1_000
/** A settlement waits no longer than this for them. */
const patienceMs = 300

/**
 * Settings at most a second old. While auth is unavailable the last known ones apply; before its first answer no usage warning is given, and
 * the next settlement makes up for it.
 */
export function createRecentSettings(client: ServiceClient, now: () => Date): RecentSettings {
  const settings = createLiveSettings(client, now, maxAgeMs)
  return async () => await withTimeout(patienceMs, settings.current()).catch(() => settings.lastKnown())
}
