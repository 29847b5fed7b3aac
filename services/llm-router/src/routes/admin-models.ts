import { modelAdminRoutes, type Principal } from '@parley/contracts'
import { mount } from '@parley/kit'
import type { IRouter } from 'express'
import { type AdminDeps, addModel, changeModel, removeModel, toggleModels } from '../admin.ts'

/** The registry as admins keep it. Every change is signalled to all services. */
export function addAdminModelRoutes(router: IRouter, deps: AdminDeps): void {
  mount(router, modelAdminRoutes.list, async () => ({ body: { models: [...(await deps.store.list())] } }))
  mount(router, modelAdminRoutes.create, async ({ body, principal }) => ({
    body: { model: await addModel(deps, body, actorOf(principal)) },
  }))
  mount(router, modelAdminRoutes.toggle, async ({ body, principal }) => ({
    body: { models: [...(await toggleModels(deps, body, actorOf(principal)))] },
  }))
  mount(router, modelAdminRoutes.update, async ({ params, body, principal }) => ({
    body: { model: await changeModel(deps, params.id, body, actorOf(principal)) },
  }))
  mount(router, modelAdminRoutes.remove, async ({ params }) => {
    await removeModel(deps, params.id)
    return {}
  })
}

const actorOf = (principal: Principal): string =>
  principal.kind === 'user' ? principal.userId : principal.kind === 'service' ? principal.service : principal.kind
