import type { MemoryCategory, MemoryConfidence } from '@parley/contracts'
import { patternSources } from './pattern-sources.ts'

/** A built-in pattern, which covers all languages of the product. */
export interface BuiltInPattern {
  readonly id: string
  /** For display. */
  readonly name: string
  readonly pattern: string
  readonly category: MemoryCategory
  readonly confidence: MemoryConfidence
  /** The reason shown with a suggestion. */
  readonly reason: string
}

type Kind = Omit<BuiltInPattern, 'pattern'> & { readonly id: keyof typeof patternSources }

/** Ordered: the first pattern that matches a sentence determines its category. */
const kinds: readonly Kind[] = [
  of('remember', 'Asked to remember', 'general', 'high', 'You asked to remember this.'),
  of('contact', 'Contact details', 'contact', 'high', 'You gave contact details.'),
  of('name', 'Name', 'personal', 'high', 'You said what you are called.'),
  of('health', 'Health and diet', 'health', 'high', 'You spoke of your health or diet.'),
  of('temporal', 'Dates and routines', 'temporal', 'medium', 'You named a date or a routine of yours.'),
  of('education', 'Studies', 'education', 'medium', 'You spoke of what you study or studied.'),
  of('technical', 'Tools and technology', 'technical', 'medium', 'You named what you work with.'),
  of('professional', 'Work', 'professional', 'medium', 'You spoke of your work.'),
  of('location', 'Places', 'location', 'high', 'You said where you live or come from.'),
  of('goals', 'Goals and plans', 'goals', 'medium', 'You spoke of a goal or a plan.'),
  of('preferences', 'How to answer', 'preferences', 'high', 'You said how you want things done.'),
  of('personal', 'Family and life', 'personal', 'medium', 'You spoke of your family or your life.'),
  of('factual', 'Facts', 'factual', 'medium', 'You named a fact about yourself.'),
  of('preference', 'Likes and dislikes', 'preference', 'medium', 'You said what you like or dislike.'),
]

function of(
  id: Kind['id'],
  name: string,
  category: MemoryCategory,
  confidence: MemoryConfidence,
  reason: string,
): Kind {
  return { id, name, category, confidence, reason }
}

/** The built-in patterns. */
export const builtInPatterns: readonly BuiltInPattern[] = kinds.map((kind) => ({
  ...kind,
  pattern: patternSources[kind.id],
}))
