import { modelAdminRoutes } from '@parley/contracts'
import { adminActOf, type Clock, mount, type NewId } from '@parley/kit'
import type { IRouter } from 'express'
import { type AdminDeps, addModel, changeModel, removeModel, toggleModels } from '../admin.ts'

/** The registry as admins keep it. Every change is signalled to all services. */
export function addAdminModelRoutes(router: IRouter, deps: AdminDeps, makers: { newId: NewId; now: Clock }): void {
  mount(router, modelAdminRoutes.list, async () => ({ body: { models: [...(await deps.store.list())] } }))
  mount(router, modelAdminRoutes.create, async ({ body, principal }) => ({
    body: { model: await addModel(deps, body, adminActOf(principal, makers)) },
  }))
  mount(router, modelAdminRoutes.toggle, async ({ body, principal }) => ({
    body: { models: [...(await toggleModels(deps, body, adminActOf(principal, makers)))] },
  }))
  mount(router, modelAdminRoutes.update, async ({ params, body, principal }) => ({
    body: { model: await changeModel(deps, params.id, body, adminActOf(principal, makers)) },
  }))
  mount(router, modelAdminRoutes.remove, async ({ params, principal }) => {
    await removeModel(deps, params.id, adminActOf(principal, makers))
    return {}
  })
}
