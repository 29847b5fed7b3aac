import type { CounterView } from '@parley/cache'
import {
  type AdminApiKey,
  type ApiKey,
  defaultSettings,
  type KeyLimits,
  keyWindowOf,
  limitsOfKey,
} from '@parley/contracts'
import type { Logger } from '@parley/kit'
import type { RecentSettings } from '../recent-settings.ts'
import type { UsageStore } from '../store/usage-store.ts'
import { noUsage } from '../usage/usage-of-key.ts'
import type { StoredKey } from './key.ts'
import type { Owners } from './owners.ts'

/** Presents keys. */
export interface PresentKeys {
  /** For their owner. */
  own(keys: readonly StoredKey[]): Promise<ApiKey[]>
  /** For admins. */
  all(keys: readonly StoredKey[]): Promise<AdminApiKey[]>
}

export interface PresentKeysDeps {
  readonly settings: RecentSettings
  readonly usage: Pick<UsageStore, 'ofKeys'>
  readonly owners: Pick<Owners, 'names'>
  /** The rate limit windows of keys, counted by llm-router. */
  readonly windows: CounterView
  readonly log: Logger
}

/**
 * Limits come from the settings, or from the default settings while those are unknown. The remainder of a window is omitted while the
 * counter engine is unavailable.
 */
export function createPresentKeys({ settings, usage, owners, windows, log }: PresentKeysDeps): PresentKeys {
  const own: PresentKeys['own'] = async (keys) => {
    const [known = defaultSettings, used] = await Promise.all([settings(), usage.ofKeys(keys.map(({ id }) => id))])
    const limits = keys.map((key) => limitsOfKey(key, known.rateLimits.apiV1))
    const asked = keys.map(({ id }, at) => keyWindowOf(id, limits[at] as KeyLimits))
    const left = await windows.look(asked).catch((error: unknown) => {
      log.warn({ err: error }, 'the rate limit windows of keys could not be read')
    })
    return keys.map((key, at) => ({
      id: key.id,
      label: key.label,
      prefix: key.prefix,
      lastFour: key.lastFour,
      tier: key.tier,
      createdAt: key.createdAt.toISOString(),
      lastUsed: key.lastUsed?.toISOString() ?? null,
      expiresAt: key.expiresAt?.toISOString() ?? null,
      limits: { ...(limits[at] as KeyLimits), remaining: left?.[at]?.remaining ?? null },
      usage: used.get(key.id) ?? noUsage,
    }))
  }
  return {
    own,
    async all(keys) {
      const [shown, names] = await Promise.all([own(keys), owners.names(keys.map(({ userId }) => userId))])
      return keys.map(({ userId, customLimits, version }, at) => ({
        ...(shown[at] as ApiKey),
        ...{ userId, username: names.get(userId) ?? null, customLimits, version },
      }))
    },
  }
}
