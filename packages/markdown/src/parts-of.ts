/** UTF-16 units per part. */
const partLength = 4_000

/** Splits a text into parts, at line ends where possible: a browser lays out a growing text element by element. */
export function partsOf(text: string): string[] {
  if (text.length <= partLength) return [text]
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const lineEnd = text.lastIndexOf('\n', at + partLength)
    const broken = lineEnd > at ? lineEnd : at + partLength
    parts.push(text.slice(at, broken))
    at = lineEnd > at ? lineEnd + 1 : broken
  }
  return parts
}
