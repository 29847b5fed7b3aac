import { modelInternalRoutes } from '@parley/contracts'
import { mount, mountStream, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import { type CompleteDeps, complete } from '../completion/complete.ts'
import { type MakeImageDeps, makeImage } from '../images/make-image.ts'
import { presentImage, presentInfo } from '../present.ts'

/** What other services ask: one model, an answer, or an image. */
export function addInternalRoutes(router: IRouter, deps: CompleteDeps & MakeImageDeps): void {
  mount(router, modelInternalRoutes.info, async ({ params }) => {
    const model = await deps.registry.find(params.id)
    if (model === undefined) throw notFound('Model not found')
    return { body: presentInfo(model) }
  })
  mountStream(router, modelInternalRoutes.complete, ({ body }, response) => complete(deps, body, response))
  mountStream(router, modelInternalRoutes.image, async ({ body }, response) => {
    const left = new AbortController()
    response.once('close', () => left.abort())
    try {
      response.json(presentImage(await makeImage(deps, body, left.signal)))
    } catch (error) {
      // Nobody is there to be told.
      if (!response.destroyed) throw error
    }
  })
}
