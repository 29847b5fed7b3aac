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

/** Shorter beginnings reveal nothing. */
const leastBeginning = 3

/** Redacts these texts in a title, whose white space is collapsed, and the beginning of one at which the title was cut. */
export function redactTitle(title: string, asWritten: readonly string[]): string {
  const texts = [...asWritten, ...asWritten.map((text) => text.replace(/\s+/g, ' '))]
  const clean = createRedaction(texts)(title)
  const [, kept = '', ellipsis = ''] = /^(.*?)(\s*(?:…|\.\.\.))$/su.exec(clean) ?? []
  const cut = Math.max(0, ...texts.map((text) => beginningAtEnd(kept, text)))
  return cut < leastBeginning ? clean : kept.slice(0, -cut) + redacted + ellipsis
}

/** The length of the longest beginning of `text` with which `title` ends. */
function beginningAtEnd(title: string, text: string): number {
  for (let length = Math.min(title.length, text.length - 1); length > 0; length -= 1) {
    if (title.endsWith(text.slice(0, length))) return length
  }
  return 0
}
