import type { DetectionPattern } from '@parley/contracts'
import type { Translate } from '../../../shared/i18n/index.ts'

/** Ids of the product's patterns, which have a name in each language. */
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

/** What a pattern is called: one of the product in the reader's language, one's own as its owner named it. */
export function patternName({ id, name, builtIn }: DetectionPattern, t: Translate): string {
  const known = builtIn ? builtInIds.find((one) => one === id) : undefined
  return known === undefined ? name : t(`memory.pattern.${known}`)
}
