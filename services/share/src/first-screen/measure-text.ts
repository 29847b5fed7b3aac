/** UTF-16 units that a full line of the page has room for. */
const lineLength = 60
/** UTF-16 units and lines of one text that are written: more than a screen and a half, and little work for a parser whatever they say. */
const mostUnits = 8_000
const mostLines = 120

/** What a text takes of a screen, in UTF-16 units of full lines. */
export const roomOf = (text: string): number => Math.max(text.length, lineLength * text.split('\n', mostUnits).length)

/** The beginning of a text, as far as it is written; cut at the end of a line, if there is one. */
export function beginningOf(text: string): string {
  const units = text.slice(0, mostUnits)
  const lines = units.split('\n', mostLines).join('\n')
  if (lines.length === text.length) return text
  if (lines.length < units.length) return lines
  const lineEnd = units.lastIndexOf('\n')
  return (lineEnd > 0 ? units.slice(0, lineEnd) : units).toWellFormed()
}
