import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

/** Compiled patterns of all users that are kept. */
const mostKept = 1_000
const compiled = new LRUCache<string, RE2JS>({ max: mostKept })
/** Larger ones take too long, however short they look: `(a{1,100}){1,100}`. */
const mostInstructions = 1_000

/** A user's pattern, matched in time linear to the text. @throws Error when it is none, or too large */
export function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  const made = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
  if (made.programSize() > mostInstructions) throw new RangeError('The pattern repeats too much')
  compiled.set(pattern, made)
  return made
}

/** Why a pattern cannot be used, as people read it; undefined for one that can. */
export function patternFault(pattern: string): string | undefined {
  try {
    return compilePattern(pattern).matcher('').find() ? 'The pattern matches everything' : undefined
  } catch (error) {
    if (error instanceof RangeError) return error.message
    return 'Not a pattern in RE2 syntax (no look-around, no back-references)'
  }
}
