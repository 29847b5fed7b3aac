/** Bounds on a JSON text: its levels of nesting, and its values, counting lists and objects and everything in them. */
export interface JsonBounds {
  readonly depth: number
  readonly values: number
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * The bound that a JSON text exceeds, counted in one pass over its bytes before anything is parsed: parsing a few bytes of brackets takes hundreds
 * of times their size. Text that is no JSON is counted up to its fault at least, which is as far as a parser reads.
 * @param bytes in UTF-8
 */
export function exceededBound(bytes: Uint8Array, { depth, values }: JsonBounds): keyof JsonBounds | undefined {
  let level = 0
  let count = 1
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case quote:
        at = endOfString(bytes, at)
        break
      case openList:
      case openObject:
        level += 1
        count += 1
        if (level > depth) return 'depth'
        break
      case closeList:
      case closeObject:
        level -= 1
        break
      case comma:
        count += 1
        break
    }
    if (count > values) return 'values'
  }
  return undefined
}

/** The position of the closing quote of the string that begins here; the end of the text when it has none. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}
