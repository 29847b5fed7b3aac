import { authInternalRoutes, type SettingsAnswer } from '@parley/contracts'
import type { ServiceClient } from './service-client.ts'

const usualMaxAgeMs = 30_000

/** The settings as every service but auth sees them. */
export interface LiveSettings {
  /**
   * At most 30 s old and dropped at once on the signal of a change.
   * @throws AppError unavailable when auth cannot be asked and nothing recent is known
   */
  current(): Promise<SettingsAnswer>
  /** The last known, however old; undefined before the first success. For limits, which fail soft. */
  lastKnown(): SettingsAnswer | undefined
  /** To be called on the `settings-changed` signal. */
  drop(): void
}

/**
 * Asks auth on demand; concurrent callers share one question.
 * @param maxAgeMs for a service that hears no signals, in the place of 30 s
 */
export function createLiveSettings(
  client: ServiceClient,
  now: () => Date,
  maxAgeMs: number = usualMaxAgeMs,
): LiveSettings {
  let known: { settings: SettingsAnswer; at: number } | undefined
  let asking: Promise<SettingsAnswer> | undefined
  let drops = 0
  const ask = async (): Promise<SettingsAnswer> => {
    const asked = drops
    const { settings } = await client.call(authInternalRoutes.settings, {})
    // An answer that was under way when a change was signalled may be the old one.
    known = { settings, at: asked === drops ? now().getTime() : 0 }
    return settings
  }
  return {
    current() {
      if (known !== undefined && now().getTime() - known.at < maxAgeMs) return Promise.resolve(known.settings)
      asking ??= ask().finally(() => {
        asking = undefined
      })
      return asking
    },
    lastKnown: () => known?.settings,
    drop() {
      drops += 1
      asking = undefined
      if (known !== undefined) known = { ...known, at: 0 }
    },
  }
}
