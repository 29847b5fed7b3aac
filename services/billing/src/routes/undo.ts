import { billingInternalRoutes } from '@parley/contracts'
import { type Clock, mount, type NewId } from '@parley/kit'
import type { IRouter } from 'express'
import { type UndoDeps, undo } from '../undo.ts'

/** Undoes an admin's act on behalf of auth, which has checked the admin's rights. */
export function addUndoRoute(router: IRouter, deps: UndoDeps & { newId: NewId; now: Clock }): void {
  mount(router, billingInternalRoutes.undo, async ({ body, requestId }) => {
    const { entryId, actorId, undone } = body
    const act = { actorId, requestId, eventId: deps.newId(), at: deps.now(), undoes: entryId, undone }
    return { body: { id: act.eventId, at: act.at.toISOString(), ...(await undo(deps, body, act)) } }
  })
}
