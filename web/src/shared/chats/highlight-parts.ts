/** A piece of a text, and whether it matches a search word. */
export interface TextPart {
  /** Start offset in UTF-16 units. */
  readonly at: number
  readonly text: string
  readonly hit: boolean
}

const escapePattern = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Splits a text at the words of a query, in any case and in languages without spaces, too. */
export function highlightParts(text: string, query: string): TextPart[] {
  const words = query.split(/\s+/).filter(Boolean)
  if (words.length === 0) return text === '' ? [] : [{ at: 0, text, hit: false }]
  const longestFirst = words.toSorted((a, b) => b.length - a.length).map(escapePattern)
  const parts: TextPart[] = []
  let at = 0
  for (const piece of text.split(new RegExp(`(${longestFirst.join('|')})`, 'giu'))) {
    // Splitting by one capture group alternates between text and matches.
    if (piece !== '')
      parts.push({ at, text: piece, hit: new RegExp(`^(?:${longestFirst.join('|')})$`, 'iu').test(piece) })
    at += piece.length
  }
  return parts
}
