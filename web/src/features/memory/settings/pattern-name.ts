import type { DetectionPattern } from '@parley/contracts'
import type { Translate } from '../../../shared/i18n/index.ts'

/** Ids of the built-in patterns, which have a name in each language. */
const builtInIds = [
  'remember',
  'contact',
  'name',
  'health',
  'temporal',
  'education',
  'technical',
  'professional',
  'location',
  'goals',
  'preferences',
  'personal',
  'factual',
  'preference',
] as const

/** A pattern's name: localised for built-in ones, otherwise as given by its owner. */
export function patternName({ id, name, builtIn }: DetectionPattern, t: Translate): string {
  const known = builtIn ? builtInIds.find((one) => one === id) : undefined
  return known === undefined ? name : t(`memory.pattern.${known}`)
}
