import { embeddingInternalRoutes, maxEmbeddedLength } from '@parley/contracts'
import { countModelCalls, isAppError, type Registry, type ServiceClient } from '@parley/kit'
import { hasSecret } from '../detection/secrets.ts'

/** Vectors of texts, in their order, as base64. */
export interface Embedded {
  readonly space: string
  readonly vectors: readonly string[]
}

/** Has a model make vectors of texts. */
export interface Embedder {
  /** Whose vectors are made now; null when the registry has no model for them. @throws AppError when that is unknown */
  space(): Promise<string | null>
  /** @throws AppError not_found without a model, validation_failed when its provider refuses the texts, or why there is no answer in time */
  embed(texts: readonly string[], options: { readonly timeoutMs: number }): Promise<Embedded>
}

/** Asks llm-router. Nobody is charged; calls and their tokens are counted. */
export function createEmbedder(client: Pick<ServiceClient, 'call'>, metrics: Registry): Embedder {
  const counts = countModelCalls(metrics, {
    prefix: 'memory_embedding',
    purpose: 'for vectors of memories and messages',
  })
  /** As the last answer named it. */
  let known = 'unknown'
  return {
    async space() {
      const { embedder } = await client.call(embeddingInternalRoutes.embedder)
      known = embedder?.model ?? known
      return embedder?.space ?? null
    },
    async embed(texts, options) {
      try {
        const body = { texts: [...texts] }
        const { model, inputTokens, ...embedded } = await client.call(embeddingInternalRoutes.embed, {
          body,
          ...options,
        })
        known = model
        counts.called(model, 'answered')
        counts.used(model, { inputTokens, outputTokens: 0 })
        return embedded
      } catch (error) {
        if (!isAppError(error, 'not_found')) counts.called(known, 'failed')
        throw error
      }
    },
  }
}

/** What of a text is given to a model: its beginning, without the lines that have a secret in them. Empty when nothing is left. */
export const embeddable = (text: string): string =>
  text
    .slice(0, maxEmbeddedLength)
    .split('\n')
    .filter((line) => !hasSecret(line))
    .join('\n')
    .trim()
    .toWellFormed()
