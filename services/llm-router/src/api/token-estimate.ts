/** Tokens of an image or a file, which providers count by its size: what one of common size costs. */
const fileTokens = 1_100
/** UTF-16 units of a token in common text. */
const unitsPerToken = 4
/** Bytes as base64: no text has words of this length. */
const encoded = /^(data:[^,]{0,200},)?[A-Za-z0-9+/=_-]{2000,}$/

/** About how many tokens the texts of a request are. What is held up by counting exactly is everybody else. */
export function estimateTokens(value: unknown): number {
  if (typeof value === 'string') return isFile(value) ? fileTokens : Math.ceil(value.length / unitsPerToken)
  if (typeof value === 'number') return 1
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, part) => sum + estimateTokens(part), 0)
}

const isFile = (text: string): boolean => text.length > 2_000 && encoded.test(text.slice(0, 2_300))
