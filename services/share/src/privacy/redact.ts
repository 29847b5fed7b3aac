/** The replacement of a redacted text, of constant length so that it reveals nothing. */
export const redacted = '█████'

/** Characters with a meaning in regular expressions. */
const marks = /[\\^$.*+?()[\]{}|/]/g

/** Redacts every occurrence of these texts, the longest first where they overlap. */
export function createRedaction(texts: readonly string[]): (text: string) => string {
  const longestFirst = [...new Set(texts)].sort((one, other) => other.length - one.length)
  if (longestFirst.length === 0) return (text) => text
  const expression = new RegExp(longestFirst.map((text) => text.replace(marks, '\\$&')).join('|'), 'gu')
  return (text) => text.replace(expression, redacted)
}
