import type { MemoryCategory, MemoryConfidence } from '@parley/contracts'

/** The categories of memories in display order. A test compares them with the contract. */
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

/** Confidence that something is worth remembering, highest first. */
export const confidences = ['high', 'medium', 'low'] as const satisfies readonly MemoryConfidence[]

/** Maximum UTF-16 units of a memory. */
export const maxMemoryLength = 2_000
/** Maximum number of a user's own detection patterns, and UTF-16 units of a pattern and of its name. */
export const maxOwnPatterns = 50
export const maxPatternLength = 200
export const maxPatternName = 100
