/** Tokens of an image or a file, which providers count by size: the cost of a common size. */
const fileTokens = 1_100
/** UTF-16 units per token in common text. */
const unitsPerToken = 4
/** Base64-encoded bytes: no text has words of this length. */
const encoded = /^(data:[^,]{0,200},)?[A-Za-z0-9+/=_-]{2000,}$/

/** Estimates the tokens of the texts in a request. Exact counting would block the event loop. */
export function estimateTokens(value: unknown): number {
  if (typeof value === 'string') return isFile(value) ? fileTokens : Math.ceil(value.length / unitsPerToken)
  if (typeof value === 'number') return 1
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, part) => sum + estimateTokens(part), 0)
}

const isFile = (text: string): boolean => text.length > 2_000 && encoded.test(text.slice(0, 2_300))
