import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

/** The size of the cache of compiled patterns, over all users. */
const mostKept = 1_000
const compiled = new LRUCache<string, RE2JS>({ max: mostKept })
/** The limit of a compiled pattern's size: a short pattern such as `(a{1,100}){1,100}` can compile to a huge one. */
const mostInstructions = 1_000

/** Compiles a user's pattern, which matches in linear time. @throws Error when it is invalid or too large */
export function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  const made = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
  if (made.programSize() > mostInstructions) throw new RangeError('The pattern repeats too much')
  compiled.set(pattern, made)
  return made
}

/** The work on one message: instructions of the patterns times UTF-16 units that they are matched against. At worst it takes half a second. */
const mostWork = 20_000_000

/** Finds the first of a user's patterns that matches, in one text of a message after the other; none any more after too much work. */
export function createPatternSearch<Own extends { readonly pattern: string }>(
  patterns: readonly Own[],
): (text: string) => Own | undefined {
  let work = 0
  const matches = (pattern: string, text: string): boolean => {
    const expression = compilePattern(pattern)
    work += expression.programSize() * text.length
    return work <= mostWork && expression.matcher(text).find()
  }
  return (text) => patterns.find(({ pattern }) => matches(pattern, text))
}

/** The reason why a pattern is invalid, for display; undefined for a valid one. */
export function patternFault(pattern: string): string | undefined {
  try {
    return compilePattern(pattern).matcher('').find() ? 'The pattern matches everything' : undefined
  } catch (error) {
    if (error instanceof RangeError) return error.message
    return 'Not a pattern in RE2 syntax (no look-around, no back-references)'
  }
}
