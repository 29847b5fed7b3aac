import { authAdminRoutes } from '@parley/contracts'
import { actingUser, changedMeanwhile, mount, unavailable } from '@parley/kit'
import type { IRouter } from 'express'
import { changesOf, presentAdminSettings } from '../administration/settings.ts'
import type { AuthParts } from '../parts.ts'

/** Admins read and change the settings, and have caches dropped. */
export function addAdminSettingsRoutes(router: IRouter, parts: AuthParts): void {
  const { stores, signal, newId } = parts
  mount(router, authAdminRoutes.settings, async () => ({
    body: presentAdminSettings(await stores.settings.read()),
  }))
  mount(router, authAdminRoutes.updateSettings, async ({ principal, requestId, body }) => {
    const { userId } = actingUser(principal)
    const change = { id: newId(), actorId: userId, requestId, reversible: true }
    const entry = { ...change, action: 'settings.changed', target: 'settings', targetName: 'Settings' }
    const outcome = await stores.settings.change((present) => {
      if (body.version !== undefined && body.version !== present.version)
        throw changedMeanwhile('the settings', presentAdminSettings(present))
      return changesOf(body, present.settings)
    }, entry)
    if (outcome.changed) await parts.signalSettingsChanged(outcome.version)
    return { body: presentAdminSettings(outcome) }
  })
  mount(router, authAdminRoutes.clearCaches, async ({ principal, requestId }) => {
    const { userId } = actingUser(principal)
    await stores.audit.write({ id: newId(), actorId: userId, action: 'caches.cleared', target: null, requestId })
    await parts.signalAdminActed()
    await signal.publish('caches-cleared', {}).catch((error: unknown) => {
      throw unavailable(error)
    })
    return { body: { message: 'All services have been told to clear their caches.' } }
  })
}
