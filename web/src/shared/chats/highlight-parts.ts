/** A piece of a text, and whether it is one of the words that were searched for. */
export interface TextPart {
  /** Where it begins, in UTF-16 units. */
  readonly at: number
  readonly text: string
  readonly hit: boolean
}

const escapePattern = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Cuts a text at the words of a query, wherever they stand and however they are written; languages without spaces included. */
export function highlightParts(text: string, query: string): TextPart[] {
  const words = query.split(/\s+/).filter(Boolean)
  if (words.length === 0) return text === '' ? [] : [{ at: 0, text, hit: false }]
  const longestFirst = words.toSorted((a, b) => b.length - a.length).map(escapePattern)
  const parts: TextPart[] = []
  let at = 0
  for (const piece of text.split(new RegExp(`(${longestFirst.join('|')})`, 'giu'))) {
    // A split by one group gives text and hits in turns.
    if (piece !== '')
      parts.push({ at, text: piece, hit: new RegExp(`^(?:${longestFirst.join('|')})$`, 'iu').test(piece) })
    at += piece.length
  }
  return parts
}
