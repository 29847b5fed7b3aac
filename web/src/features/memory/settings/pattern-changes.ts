import type { DetectionPattern, MemoryCategory, MemorySettingsPatch } from '@parley/contracts'

/** The input for a user's own pattern. */
export interface PatternValues {
  readonly name: string
  readonly pattern: string
  readonly category: MemoryCategory
}

type Changes = NonNullable<MemorySettingsPatch['detectionPatterns']>

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

/** The same without one. */
export const withoutPattern = (patterns: readonly DetectionPattern[], id: string): Changes =>
  ownOf(patterns).filter((pattern) => pattern.id !== id)
