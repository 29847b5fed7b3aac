import { z } from 'zod'
import { defineRoute } from './route.ts'

/** Texts of one call for their vectors, and UTF-16 units of one of them. */
export const maxEmbedded = 64
export const maxEmbeddedLength = 2_000
/** Numbers of a vector. */
export const maxDimensions = 4_096
/** The model that makes vectors. Only vectors of the same `space` can be compared. */
const embedderSchema = z.object({ model: z.string(), space: z.string() })
export type Embedder = z.infer<typeof embedderSchema>

const service = 'llm-router'
/** Vectors of texts, for memory. */
export const embeddingInternalRoutes = {
  embedder: defineRoute({
    method: 'GET',
    path: '/internal/embedder',
    service,
    access: 'service',
    summary: 'Which model makes vectors of texts; null when the registry has none that can be called',
    answer: z.object({ embedder: embedderSchema.nullable() }),
  }),
  embed: defineRoute({
    method: 'POST',
    path: '/internal/embeddings',
    service,
    access: 'service',
    bodyLimit: 1024 * 1024,
    summary:
      'Vectors of texts, charged to nobody; 404 without a model for them, 400 when its provider refuses the texts. Closing the connection cancels the provider call',
    body: z.strictObject({ texts: z.array(z.string().min(1).max(maxEmbeddedLength)).min(1).max(maxEmbedded) }),
    answer: embedderSchema.extend({
      /** In the order of the texts, of length 1: little-endian 32-bit floats as base64. */
      vectors: z.array(z.string()),
      inputTokens: z.number().int(),
    }),
  }),
}
