import { billingInternalRoutes } from '@parley/contracts'
import { mount } from '@parley/kit'
import type { IRouter } from 'express'
import type { BillingParts } from '../parts.ts'
import { undo } from '../undo.ts'

/** Undoes an admin's act on behalf of auth, which has checked the admin's rights. */
export function addUndoRoute(router: IRouter, parts: BillingParts): void {
  mount(router, billingInternalRoutes.undo, async ({ body, requestId }) => {
    const { entryId, actorId, undone } = body
    const act = { actorId, requestId, eventId: parts.newId(), at: parts.now(), undoes: entryId, undone }
    return { body: { id: act.eventId, at: act.at.toISOString(), ...(await undo(parts, body, act)) } }
  })
}
