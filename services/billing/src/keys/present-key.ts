import type { CounterView } from '@parley/cache'
import { type AdminApiKey, type ApiKey, defaultSettings, keyWindowOf, limitsOfKey } from '@parley/contracts'
import type { Logger } from '@parley/kit'
import type { RecentSettings } from '../recent-settings.ts'
import type { BillingStores } from '../store/index.ts'
import { noUsage } from '../usage/usage-of-key.ts'
import type { StoredKey } from './key.ts'
import type { Owners } from './owners.ts'

export type PresentKeys = ReturnType<typeof createPresentKeys>

/**
 * Presents keys. Limits come from the settings, or from the default settings while those are unknown. The remainder of a window is omitted while
 * the counter engine is unavailable.
 * @param windows the rate limit windows of keys, counted by llm-router
 */
export function createPresentKeys(
  settings: RecentSettings,
  { usage }: Pick<BillingStores, 'usage'>,
  owners: Owners,
  windows: CounterView,
  log: Logger,
) {
  const own = async (keys: readonly StoredKey[]): Promise<ApiKey[]> => {
    const [known = defaultSettings, used] = await Promise.all([settings(), usage.ofKeys(keys.map(({ id }) => id))])
    const limitsOf = (key: StoredKey) => limitsOfKey(key, known.rateLimits.apiV1)
    const left = await windows.look(keys.map((key) => keyWindowOf(key.id, limitsOf(key)))).catch((error: unknown) => {
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
      limits: { ...limitsOf(key), remaining: left?.[at]?.remaining ?? null },
      usage: used.get(key.id) ?? noUsage,
    }))
  }
  return {
    /** For their owner. */
    own,
    /** For admins. */
    async all(keys: readonly StoredKey[]): Promise<AdminApiKey[]> {
      const [shown, names] = await Promise.all([own(keys), owners.names(keys.map(({ userId }) => userId))])
      return keys.map(({ userId, customLimits, version }, at) => ({
        ...(shown[at] as ApiKey),
        ...{ userId, username: names.get(userId) ?? null, customLimits, version },
      }))
    },
  }
}
