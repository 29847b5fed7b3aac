import type { MemoryCategory, MemoryConfidence } from '@parley/contracts'
import type { StoredSettings } from '../store/documents.ts'
import { type BuiltInPattern, builtInPatterns } from './built-in-patterns.ts'
import { createPatternSearch } from './own-patterns.ts'
import { ownSentences } from './own-words.ts'
import { hasSecret } from './secrets.ts'

/** A fact in a message that may be worth remembering. */
export interface Detected {
  readonly text: string
  readonly category: MemoryCategory
  readonly confidence: MemoryConfidence
  readonly reason: string
}

type Choices = Pick<StoredSettings, 'confidenceThreshold' | 'ownPatterns' | 'patternsOff' | 'categoriesOff'>

const mostOfMessage = 10
const order: readonly MemoryConfidence[] = ['low', 'medium', 'high']

/** Built-in patterns are in RE2 syntax and trusted, so the native RegExp engine may run them. */
const builtIn: readonly (BuiltInPattern & { readonly expression: RegExp })[] = builtInPatterns.map((pattern) => ({
  ...pattern,
  expression: new RegExp(pattern.pattern.replaceAll('\\p{Han}', '\\p{Script=Han}'), 'iu'),
}))

/** Detects facts in the user's own sentences, as their settings choose, but never secrets. @param message the raw message */
export function detect(message: string, choices: Choices): readonly Detected[] {
  const found: Detected[] = []
  const findOwn = createPatternSearch(choices.ownPatterns.filter(({ enabled }) => enabled))
  for (const sentence of ownSentences(message)) {
    if (hasSecret(sentence)) continue
    const one = byOwnPattern(sentence, findOwn(sentence)) ?? byBuiltIn(sentence, choices)
    if (one !== undefined && isWanted(one, choices)) found.push(one)
    if (found.length === mostOfMessage) break
  }
  return found
}

/** Whether the settings allow this suggestion. */
export const isWanted = (
  { category, confidence }: Pick<Detected, 'category' | 'confidence'>,
  { confidenceThreshold, categoriesOff }: Pick<Choices, 'confidenceThreshold' | 'categoriesOff'>,
): boolean => order.indexOf(confidence) >= order.indexOf(confidenceThreshold) && !categoriesOff.includes(category)

function byOwnPattern(sentence: string, own: Choices['ownPatterns'][number] | undefined): Detected | undefined {
  if (own === undefined) return undefined
  const { category, name } = own
  return { text: sentence, category, confidence: 'high', reason: `Your pattern “${name}” matched.` }
}

function byBuiltIn(sentence: string, { patternsOff }: Choices): Detected | undefined {
  const matching = builtIn.filter(({ id, expression }) => !patternsOff.includes(id) && expression.test(sentence))
  const [first] = matching
  if (first === undefined) return undefined
  if (first.id !== 'remember') return { ...pick(first), text: sentence }
  // The category comes from the sentence that should be remembered.
  const about = (
    matching[1] ?? builtIn.find(({ id, expression }) => id !== 'remember' && expression.test(asked(sentence)))
  )?.category
  return { ...pick(first), text: asked(sentence), category: about ?? first.category }
}

const pick = ({ category, confidence, reason }: BuiltInPattern) => ({ category, confidence, reason })

const asking =
  /^(?:please,? |bitte |por favor,? |s['’]il te plaît,? |always )?(?:remember|don['’]?t forget|do not forget|keep in mind|bear in mind|note|make a note|for (?:future reference|the record|next time)|recuerda|no (?:te )?olvides|ten (?:en cuenta|presente)|acuérdate de|souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|n['’]oublie[sz]? pas|notez?|merke? dir|denke? (?:bitte )?(?:daran|dran)|vergiss (?:bitte )?nicht)(?:,? (?:bitte|please))?,?:? (?:that |que |dass |qu['’])?/iu

/** The sentence without the request to remember it. */
function asked(sentence: string): string {
  const rest = sentence
    .replace(asking, '')
    .replace(/^请?(?:记住|记得)[,，::]?\s*/u, '')
    .trim()
  return rest.length < 4 ? sentence : rest.charAt(0).toUpperCase() + rest.slice(1)
}
