import { fold } from './search-text.ts'

/** UTF-16 units before the words, and from them on. */
const [before, after] = [40, 120]

/** The part of a text in which folded words are, on one line; its beginning when they cannot be placed. */
export function snippetOf(content: string, folded: string): string {
  const line = content.normalize('NFC').replace(/[\p{Cc}\s]+/gu, ' ')
  const same = fold(line)
  // Some capitals have two small letters.
  const at = same.length === line.length ? Math.max(0, same.indexOf(folded)) : 0
  const from = Math.max(0, at - before)
  const part = whole(line.slice(from, at + after)).trim()
  return `${from > 0 ? '…' : ''}${part}${at + after < line.length ? '…' : ''}`
}

/** Without surrogates that were cut off from their other half. */
const whole = (text: string): string => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
