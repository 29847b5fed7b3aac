/** Constants of memories that the SPA needs at run time; apart from the other ones, since most pages do without them. */

/** Length of a memory's text, in UTF-16 units. */
export const maxMemoryLength = 2_000
/** Limits of own detection patterns: number per user, and lengths of a pattern and of its name in UTF-16 units. */
export const maxOwnPatterns = 50
export const maxPatternLength = 200
export const maxPatternName = 100

/** Categories of memories, in display order. */
export const memoryCategories = [
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
] as const
export type MemoryCategory = (typeof memoryCategories)[number]
/** Confidence that a text is worth remembering, highest first. */
export const memoryConfidences = ['high', 'medium', 'low'] as const
export type MemoryConfidence = (typeof memoryConfidences)[number]
