import type { DetectionPattern, MemorySettings } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { patched, withEnabled, withoutPattern, withPattern } from './pattern-changes.ts'

const builtIn: DetectionPattern = {
  id: 'b1',
  name: 'Names',
  pattern: 'my name is',
  category: 'personal',
  enabled: true,
  builtIn: true,
}
const own: DetectionPattern = { ...builtIn, id: 'o1', name: 'Team', pattern: 'our team', builtIn: false }
const other: DetectionPattern = { ...own, id: 'o2', name: 'Cars', pattern: 'my car' }
const patterns = [builtIn, own, other]
const sent = ({ builtIn: _, ...rest }: DetectionPattern) => rest

describe('a change of detection patterns', () => {
  it('switches a built-in one by its id, with all custom ones, which would otherwise be removed', () => {
    expect(withEnabled(patterns, 'b1', false)).toEqual([sent(own), sent(other), { id: 'b1', enabled: false }])
  })

  it('switches a custom one in place', () => {
    expect(withEnabled(patterns, 'o1', false)).toEqual([{ ...sent(own), enabled: false }, sent(other)])
  })

  it('adds one without an id, changes one by its id, and removes one', () => {
    const values = { name: 'Pets', pattern: 'my (cat|dog)', category: 'personal' } as const
    expect(withPattern(patterns, values)).toEqual([sent(own), sent(other), { ...values, enabled: true }])
    expect(withPattern(patterns, values, 'o2')).toEqual([sent(own), { ...sent(other), ...values }])
    expect(withoutPattern(patterns, 'o1')).toEqual([sent(other)])
  })
})

it('a change of the settings shows at once, on top of those before it', () => {
  const settings = {
    ...{ enabled: true, autoDetection: true, semanticMemory: false, autoConsolidation: false },
    ...{ confidenceThreshold: 'medium', detectionPatterns: patterns },
    categoryPreferences: { personal: true, health: true },
  } as unknown as MemorySettings
  const changes = [
    { enabled: false },
    { categoryPreferences: { health: false } },
    { detectionPatterns: withEnabled(patterns, 'b1', false) },
    { detectionPatterns: withEnabled(patterns, 'o1', false) },
  ]
  expect(changes.reduce(patched, settings)).toEqual({
    ...{ ...settings, enabled: false, categoryPreferences: { personal: true, health: false } },
    detectionPatterns: [{ ...builtIn, enabled: false }, { ...own, enabled: false }, other],
  })
})
