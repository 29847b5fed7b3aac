import type { SettingsAnswer } from '@parley/contracts'
import { createLiveSettings, type ServiceClient, withTimeout } from '@parley/kit'

/**
 * The current settings; undefined while they are unknown. Never rejects.
 * @param patienceMs how long the caller can wait for them
 */
export type RecentSettings = (patienceMs?: number) => Promise<SettingsAnswer | undefined>

/** A change applies within this time, even if its signal is lost. */
const maxAgeMs = 1_000
/** A settlement waits no longer than this for them. */
const settlementMs = 300

/**
 * Settings at most a second old. While auth is unavailable the last known ones apply; before its first answer no usage warning is given, and
 * the next settlement makes up for it.
 */
export function createRecentSettings(client: ServiceClient, now: () => Date): RecentSettings {
  const settings = createLiveSettings(client, now, maxAgeMs)
  return async (patienceMs = settlementMs) =>
    await withTimeout(patienceMs, settings.current()).catch(() => settings.lastKnown())
}
