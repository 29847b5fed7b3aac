/** What stands for a text that is not shown; its length says nothing. */
export const redacted = '█████'

/** What means something else in an expression. */
const marks = /[\\^$.*+?()[\]{}|/]/g

/** Makes every occurrence of these texts unreadable, the longest first where they overlap. */
export function createRedaction(texts: readonly string[]): (text: string) => string {
  const longestFirst = [...new Set(texts)].sort((one, other) => other.length - one.length)
  if (longestFirst.length === 0) return (text) => text
  const expression = new RegExp(longestFirst.map((text) => text.replace(marks, '\\$&')).join('|'), 'gu')
  return (text) => text.replace(expression, redacted)
}
