import type { MemoryCategory, MemoryConfidence } from '@parley/contracts'

/** What memories are about, in the order of the lists. A test holds it against the contract. */
export const categories = [
  'personal',
  'professional',
  'technical',
  'preferences',
  'health',
  'location',
  'goals',
  'education',
  'preference',
  'factual',
  'contact',
  'temporal',
  'demo',
  'auto-detected',
  'general',
] as const satisfies readonly MemoryCategory[]

/** How sure it is that something is worth remembering, the surest first. */
export const confidences = ['high', 'medium', 'low'] as const satisfies readonly MemoryConfidence[]

/** UTF-16 units of a memory's text. */
export const maxMemoryLength = 2_000
/** Own detection patterns of one person, and UTF-16 units of one and of its name. */
export const maxOwnPatterns = 50
export const maxPatternLength = 200
export const maxPatternName = 100
