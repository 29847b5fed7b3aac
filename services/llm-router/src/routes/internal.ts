import { embeddingInternalRoutes, modelInternalRoutes } from '@parley/contracts'
import { mount, mountStream, notFound } from '@parley/kit'
import type { IRouter, Response } from 'express'
import { type CompleteDeps, complete } from '../completion/complete.ts'
import { chooseEmbedder, presentEmbedder } from '../embeddings/choose-embedder.ts'
import { type EmbedDeps, embedTexts } from '../embeddings/embed-texts.ts'
import { base64OfVector } from '../embeddings/read-vectors.ts'
import { type MakeImageDeps, makeImage } from '../images/make-image.ts'
import { presentImage, presentInfo } from '../present.ts'

/** Internal calls of other services: a model's info, an answer, an image, or embeddings. */
export function addInternalRoutes(router: IRouter, deps: CompleteDeps & MakeImageDeps & EmbedDeps): void {
  mount(router, modelInternalRoutes.info, async ({ params }) => {
    const model = await deps.registry.find(params.id)
    if (model === undefined) throw notFound('Model not found')
    return { body: presentInfo(model) }
  })
  mount(router, embeddingInternalRoutes.embedder, async () => {
    const chosen = chooseEmbedder(await deps.registry.models(), deps.providers)
    return { body: { embedder: chosen === undefined ? null : presentEmbedder(chosen) } }
  })
  mountStream(router, modelInternalRoutes.complete, ({ body }, response) => complete(deps, body, response))
  mountStream(router, modelInternalRoutes.image, ({ body }, response) =>
    whileThere(response, async (left) => presentImage(await makeImage(deps, body, left))),
  )
  mountStream(router, embeddingInternalRoutes.embed, ({ body }, response) =>
    whileThere(response, async (left) => {
      const { model, answer } = await embedTexts(deps, body.texts, left)
      return { ...presentEmbedder(model), vectors: answer.vectors.map(base64OfVector), inputTokens: answer.inputTokens }
    }),
  )
}

/** Responds with the result of `make`, which is aborted when the caller leaves. */
async function whileThere(response: Response, make: (left: AbortSignal) => Promise<object>): Promise<void> {
  const left = new AbortController()
  response.once('close', () => left.abort())
  try {
    response.json(await make(left.signal))
  } catch (error) {
    // The caller has left.
    if (!response.destroyed) throw error
  }
}
