import type { SettingsAnswer } from '@parley/contracts'
import { createLiveSettings, type ServiceClient, withTimeout } from '@parley/kit'

/** The settings as an admin set them; undefined while they are not known. Never rejects. */
export type KnownSettings = () => Promise<SettingsAnswer | undefined>

/** A change is followed within this time, also where its signal is lost. */
const maxAgeMs = 1_000
/** No settlement waits longer for them. */
const patienceMs = 300

/**
 * The settings at most a second old. While auth cannot be asked they are the last known ones; before its first answer nobody is warned of their
 * usage, and the next settlement makes up for it.
 */
export function createKnownSettings(client: ServiceClient, now: () => Date): KnownSettings {
  const settings = createLiveSettings(client, now, maxAgeMs)
  return async () => await withTimeout(patienceMs, settings.current()).catch(() => settings.lastKnown())
}
