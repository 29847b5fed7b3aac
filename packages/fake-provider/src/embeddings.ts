import { createHash } from 'node:crypto'
import { asText } from './as-text.ts'
import type { ProviderRequest } from './request.ts'
import type { ProviderScript } from './script.ts'

const usualDimensions = 256
const mostDimensions = 4_096

/**
 * An embeddings response in OpenAI's format, with deterministic unit vectors: texts that share words, or synonyms of the script, are similar.
 * Token counts are word counts.
 */
export function embeddingsAnswer(
  { model, input, dimensions, encoding_format: format }: ProviderRequest,
  synonyms: NonNullable<ProviderScript['synonyms']> = {},
): unknown {
  const size = Math.min(typeof dimensions === 'number' ? dimensions : usualDimensions, mostDimensions)
  const texts = Array.isArray(input) && !input.every((part) => typeof part === 'number') ? input : [input]
  const words = texts.map(wordsOf)
  const tokens = words.reduce((sum, { length }) => sum + length, 0)
  return {
    object: 'list',
    model,
    data: words.map((of, index) => {
      const meant = of.map((word) => (Object.hasOwn(synonyms, word) ? (synonyms[word] ?? word) : word))
      const vector = vectorOf(meant, size)
      return { object: 'embedding', index, embedding: format === 'base64' ? base64Of(vector) : [...vector] }
    }),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

const wordsOf = (text: unknown): string[] =>
  Array.isArray(text)
    ? text.map(asText)
    : (asText(text)
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? [''])

/** The normalised sum of one direction per word. */
function vectorOf(words: readonly string[], size: number): Float32Array {
  const sum = new Float32Array(size)
  for (const word of words) {
    // A hash of any length, deterministic per word.
    const bytes = createHash('shake256', { outputLength: size }).update(word).digest()
    for (let at = 0; at < size; at += 1) sum[at] = (sum[at] ?? 0) + (bytes[at] ?? 0) - 127.5
  }
  const length = Math.hypot(...sum)
  return sum.map((value) => value / length)
}

/** Little-endian floats, the encoding that the official client requests. */
const base64Of = ({ buffer }: Float32Array): string => Buffer.from(buffer).toString('base64')
