import type { DetectionPattern, MemoryCategory, MemorySettings, MemorySettingsPatch } from '@parley/contracts'

export interface PatternValues {
  readonly name: string
  readonly pattern: string
  readonly category: MemoryCategory
}

/** What a patch of the settings says of patterns. */
export type Changes = NonNullable<MemorySettingsPatch['detectionPatterns']>

const ownOf = (patterns: readonly DetectionPattern[]): Changes =>
  patterns
    .filter(({ builtIn }) => !builtIn)
    .map(({ id, name, pattern, category, enabled }) => ({ id, name, pattern, category, enabled }))

/** Settings replace all of a user's own patterns: here with one switched on or off. */
export function withEnabled(patterns: readonly DetectionPattern[], id: string, enabled: boolean): Changes {
  const builtIn = patterns.some((pattern) => pattern.builtIn && pattern.id === id)
  const own = ownOf(patterns).map((pattern) => (pattern.id === id ? { ...pattern, enabled } : pattern))
  return builtIn ? [...own, { id, enabled }] : own
}

/** The same with one added, or replaced if `id` is given. */
export function withPattern(patterns: readonly DetectionPattern[], values: PatternValues, id?: string): Changes {
  const own = ownOf(patterns)
  if (id === undefined) return [...own, { ...values, enabled: true }]
  return own.map((pattern) => (pattern.id === id ? { ...pattern, ...values } : pattern))
}

export const withoutPattern = (patterns: readonly DetectionPattern[], id: string): Changes =>
  ownOf(patterns).filter((pattern) => pattern.id !== id)

/** The settings that a patch is expected to lead to, except for patterns that are new or gone. */
export function patched(settings: MemorySettings, patch: MemorySettingsPatch): MemorySettings {
  const { detectionPatterns: changes = [], categoryPreferences, ...rest } = patch
  return {
    ...{ ...settings, ...rest },
    categoryPreferences: { ...settings.categoryPreferences, ...categoryPreferences },
    detectionPatterns: settings.detectionPatterns.map((pattern) => {
      const { enabled = pattern.enabled } = changes.find(({ id }) => id === pattern.id) ?? {}
      return { ...pattern, enabled }
    }),
  }
}
