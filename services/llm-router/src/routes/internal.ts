import { modelInternalRoutes } from '@parley/contracts'
import { mount, mountStream, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import { type CompleteDeps, complete } from '../completion/complete.ts'
import { presentInfo } from '../present.ts'

/** What other services ask: one model, or an answer. */
export function addInternalRoutes(router: IRouter, deps: CompleteDeps): void {
  mount(router, modelInternalRoutes.info, async ({ params }) => {
    const model = await deps.registry.find(params.id)
    if (model === undefined) throw notFound('This model does not exist')
    return { body: presentInfo(model) }
  })
  mountStream(router, modelInternalRoutes.complete, ({ body }, response) => complete(deps, body, response))
}
