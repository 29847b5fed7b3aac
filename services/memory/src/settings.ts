import {
  type DetectionPattern,
  type MemoryCategory,
  type MemorySettings,
  type MemorySettingsPatch,
  maxOwnPatterns,
  maxPatternLength,
  memoryCategories,
} from '@parley/contracts'
import { type NewId, validationFailed } from '@parley/kit'
import { builtInPatterns } from './detection/built-in-patterns.ts'
import { patternFault } from './detection/own-patterns.ts'
import type { StoredSettings } from './store/documents.ts'

/** Settings in the API: the built-in patterns first. */
export function presentSettings(settings: StoredSettings): MemorySettings {
  const { ownPatterns, patternsOff, categoriesOff, ...rest } = settings
  const builtIn = builtInPatterns.map(({ id, name, pattern, category }): DetectionPattern => {
    return { id, name, pattern, category, enabled: !patternsOff.includes(id), builtIn: true }
  })
  const own = ownPatterns.map((pattern): DetectionPattern => ({ ...pattern, builtIn: false }))
  const preferences = memoryCategories.map((category) => [category, !categoriesOff.includes(category)] as const)
  return {
    ...rest,
    detectionPatterns: [...builtIn, ...own],
    categoryPreferences: Object.fromEntries(preferences) as Record<MemoryCategory, boolean>,
  }
}

type PatternChange = NonNullable<MemorySettingsPatch['detectionPatterns']>[number]
type OwnPattern = StoredSettings['ownPatterns'][number]

/**
 * Applies a patch to the settings. The list of own patterns is replaced; patterns without an id are new. Built-in patterns that are not listed stay
 * unchanged.
 * @throws AppError validation_failed with the path of each fault
 */
export function changeSettings(settings: StoredSettings, patch: MemorySettingsPatch, newId: NewId): StoredSettings {
  const { detectionPatterns, categoryPreferences = {}, ...rest } = patch
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const off = new Set(settings.categoriesOff)
  for (const category of memoryCategories) {
    if (categoryPreferences[category] === true) off.delete(category)
    if (categoryPreferences[category] === false) off.add(category)
  }
  const patterns = detectionPatterns && changePatterns(settings, detectionPatterns, newId)
  return { ...settings, ...given, ...patterns, categoriesOff: [...off] }
}

function changePatterns(settings: StoredSettings, changes: readonly PatternChange[], newId: NewId) {
  const faults: { path: string; message: string }[] = []
  const patternsOff = new Set(settings.patternsOff)
  const ownPatterns: OwnPattern[] = []
  for (const [nth, change] of changes.entries()) {
    const fault = (field: string, message: string): void => {
      faults.push({ path: `detectionPatterns.${nth}${field && `.${field}`}`, message })
    }
    const builtIn = builtInPatterns.find(({ id }) => id === change.id)
    if (builtIn !== undefined) {
      const changed = (['name', 'pattern', 'category'] as const).find(
        (field) => change[field] !== undefined && change[field] !== builtIn[field],
      )
      if (changed !== undefined) fault(changed, 'A built-in pattern can only be turned on and off')
      if (change.enabled === true) patternsOff.delete(builtIn.id)
      if (change.enabled === false) patternsOff.add(builtIn.id)
      continue
    }
    const before = settings.ownPatterns.find(({ id }) => id === change.id)
    if (change.id !== undefined && before === undefined) fault('id', 'There is no such pattern')
    if (change.builtIn === true) fault('builtIn', 'Your own patterns can’t be built in')
    const name = (change.name ?? before?.name)?.trim()
    const pattern = change.pattern ?? before?.pattern
    if (name === undefined) fault('name', 'A name is missing')
    if (pattern === undefined) fault('pattern', 'A pattern is missing')
    else if (pattern.length > maxPatternLength) fault('pattern', `At most ${maxPatternLength} characters`)
    else {
      const unusable = patternFault(pattern)
      if (unusable !== undefined) fault('pattern', unusable)
    }
    if (ownPatterns.some(({ id }) => id === change.id)) fault('id', 'This pattern is listed twice')
    const { category = before?.category ?? 'auto-detected', enabled = before?.enabled ?? true } = change
    ownPatterns.push({ id: before?.id ?? newId(), name: name ?? '', pattern: pattern ?? '', category, enabled })
  }
  if (ownPatterns.length > maxOwnPatterns) {
    faults.push({ path: 'detectionPatterns', message: `At most ${maxOwnPatterns} patterns of your own` })
  }
  if (faults.length > 0) throw validationFailed(faults.slice(0, 20))
  return { ownPatterns, patternsOff: [...patternsOff] }
}
