import { createLiveSettings, type ServiceClient, withTimeout } from '@parley/kit'

/** The percentage of a month's credits whose use is warned of; undefined while it is not known. Never rejects. */
export type WarningThreshold = () => Promise<number | undefined>

/** A change is followed within this time; there is no signal to wait for here. */
const maxAgeMs = 1_000
/** No settlement waits longer for it. */
const patienceMs = 300

/**
 * The threshold as an admin set it, at most a second old. While auth cannot be asked it is the last known one; before the first answer
 * nobody is warned, and the next settlement makes up for it.
 */
export function createWarningThreshold(client: ServiceClient, now: () => Date): WarningThreshold {
  const settings = createLiveSettings(client, now, maxAgeMs)
  return async () => {
    const known = await withTimeout(patienceMs, settings.current()).catch(() => settings.lastKnown())
    return known?.creditWarningThreshold
  }
}
