import { maxDimensions } from '@parley/contracts'
import { z } from 'zod'

const answerSchema = z.object({
  data: z.array(
    z.object({
      index: z.number().int().min(0).optional(),
      embedding: z.array(z.number()).min(1).max(maxDimensions),
    }),
  ),
  usage: z
    .object({ prompt_tokens: z.number().int().min(0) })
    .nullish()
    .catch(undefined),
})

/** Unit vectors in the order of their texts. */
export interface Vectors {
  readonly vectors: readonly Float32Array[]
  /** Tokens; undefined where the provider gives no figures. */
  readonly inputTokens: number | undefined
}

/** Parses a provider's answer. @throws Error unless it has one vector per text, all of the same size */
export function readVectors(answer: unknown, count: number): Vectors {
  const { data, usage } = answerSchema.parse(answer)
  const inOrder = data.toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0))
  const sizes = new Set(inOrder.map(({ embedding }) => embedding.length))
  if (inOrder.length !== count || sizes.size !== 1) throw new Error('The vectors are not those of the texts')
  return { vectors: inOrder.map(({ embedding }) => unitOf(embedding)), inputTokens: usage?.prompt_tokens }
}

function unitOf(numbers: readonly number[]): Float32Array {
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0))
  if (!(length > 0 && Number.isFinite(length))) throw new Error('A vector has no direction')
  return Float32Array.from(numbers, (number) => number / length)
}

/** Little-endian 32-bit floats as base64. */
export function base64OfVector(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4)
  vector.forEach((number, at) => {
    bytes.writeFloatLE(number, at * 4)
  })
  return bytes.toString('base64')
}
