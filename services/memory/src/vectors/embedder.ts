import { embeddingInternalRoutes, maxEmbeddedLength } from '@parley/contracts'
import { countModelCalls, isAppError, type Registry, type ServiceClient } from '@parley/kit'
import { hasSecret } from '../detection/secrets.ts'

/** Vectors of texts, in order, as base64. */
export interface Embedded {
  readonly space: string
  readonly vectors: readonly string[]
}

/** Embeds texts with a model. */
export type Embedder = ReturnType<typeof createEmbedder>

/** An Embedder that calls llm-router. Users are not charged; calls and tokens are counted as metrics. */
export function createEmbedder(client: Pick<ServiceClient, 'call'>, metrics: Registry) {
  const counts = countModelCalls(metrics, {
    prefix: 'memory_embedding',
    purpose: 'for vectors of memories and messages',
  })
  /** The model named by the last answer. */
  let known = 'unknown'
  return {
    /** The current embedding model; null when the registry has none. @throws AppError unavailable */
    async space(): Promise<string | null> {
      const { embedder } = await client.call(embeddingInternalRoutes.embedder)
      known = embedder?.model ?? known
      return embedder?.space ?? null
    },
    /** @throws AppError not_found without a model, validation_failed when its provider refuses the texts, or the reason why the call failed */
    async embed(texts: readonly string[], options: { readonly timeoutMs: number }): Promise<Embedded> {
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

/** The part of a text that may be sent to a model: its beginning, without lines that contain secrets. May be empty. */
export const embeddable = (text: string): string =>
  text
    .slice(0, maxEmbeddedLength)
    .split('\n')
    .filter((line) => !hasSecret(line))
    .join('\n')
    .trim()
    .toWellFormed()
