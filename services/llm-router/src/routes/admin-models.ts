import { type Model, modelAdminRoutes, modelInternalRoutes, modelSchema } from '@parley/contracts'
import { adminActOf, answerWhole, type Call, type Clock, mount, type NewId } from '@parley/kit'
import type { IRouter } from 'express'
import { addModel, changeModel, removeModel, toggleModels, undoChange } from '../admin.ts'
import { type TestModelDeps, testModel } from '../test-model.ts'

/** The registry, for admins. Every change is signalled to all services. */
export function addAdminModelRoutes(router: IRouter, deps: TestModelDeps, makers: { newId: NewId; now: Clock }): void {
  mount(router, modelAdminRoutes.list, async ({ query }) =>
    answerWhole(query, { name: 'models', row: modelSchema }, (await deps.store.list()).filter(matching(query))),
  )
  mount(router, modelInternalRoutes.undo, async ({ body, requestId }) => {
    const { entryId, actorId, action, undone: isUndone } = body
    const act = { actorId, requestId, eventId: makers.newId(), at: makers.now(), undoes: entryId, undone: isUndone }
    const undone = await undoChange(deps, action, act)
    return { body: { id: act.eventId, at: act.at.toISOString(), action, ...undone } }
  })
  mount(router, modelAdminRoutes.create, async ({ body, ...call }) => ({
    body: { model: await addModel(deps, body, adminActOf(call, makers)) },
  }))
  mount(router, modelAdminRoutes.test, async ({ body }) => ({ body: await testModel(deps, body) }))
  mount(router, modelAdminRoutes.toggle, async ({ body, ...call }) => ({
    body: { models: [...(await toggleModels(deps, body, adminActOf(call, makers)))] },
  }))
  mount(router, modelAdminRoutes.update, async ({ params, body, ...call }) => ({
    body: { model: await changeModel(deps, params.id, body, adminActOf(call, makers)) },
  }))
  mount(router, modelAdminRoutes.remove, async ({ params, ...call }) => {
    await removeModel(deps, params.id, adminActOf(call, makers))
    return {}
  })
}

type ListQuery = Call<typeof modelAdminRoutes.list>['query']

/** Whether a model matches an admin's search. */
function matching({ query = '', provider, enabled }: ListQuery): (model: Model) => boolean {
  const part = query.toLowerCase()
  return (model) =>
    (provider === undefined || model.provider === provider) &&
    (enabled === undefined || model.enabled === (enabled === 'true')) &&
    [model.id, model.name, model.group, model.description].some((text) => text.toLowerCase().includes(part))
}
