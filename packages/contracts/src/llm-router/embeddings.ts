import { z } from 'zod'
import { routesFor } from '../route.ts'

/** Limits of a request: number of texts, and length of a text in code points. */
export const maxEmbedded = 64
export const maxEmbeddedLength = 2_000
/** Dimensions of a vector. */
export const maxDimensions = 4_096
/** The embedding model. Only vectors of the same `space` are comparable. */
const embedderSchema = z.object({ model: z.string(), space: z.string() })
export type Embedder = z.infer<typeof embedderSchema>

const internal = routesFor('llm-router', 'service')
/** Internal routes of embeddings, for memory. */
export const embeddingInternalRoutes = {
  embedder: internal.get('/internal/embedder', {
    summary: 'The embedding model; null if the registry has none that can be called',
    answer: z.object({ embedder: embedderSchema.nullable() }),
  }),
  embed: internal.post('/internal/embeddings', {
    bodyLimit: 1024 * 1024,
    summary:
      'Embed texts, free of charge; 404 without an embedding model, 400 if its provider refuses the texts. Closing the connection cancels the provider call',
    body: z.strictObject({ texts: z.array(z.string().min(1).max(maxEmbeddedLength)).min(1).max(maxEmbedded) }),
    answer: embedderSchema.extend({
      /** Unit vectors in the order of the texts: little-endian 32-bit floats as base64. */
      vectors: z.array(z.string()),
      inputTokens: z.number().int(),
    }),
  }),
}
