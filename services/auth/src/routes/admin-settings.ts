import type { Signal } from '@parley/cache'
import { authAdminRoutes } from '@parley/contracts'
import { actingUser, type Logger, mount, type NewId, unavailable } from '@parley/kit'
import type { IRouter } from 'express'
import { nextCursor, readPage } from '../page.ts'
import { presentAudit } from '../present.ts'
import { changesOf, presentSettings } from '../settings.ts'
import type { AuthStores } from '../store/index.ts'

/** What the routes of the settings use. */
export interface AdminSettingsDeps {
  readonly stores: Pick<AuthStores, 'settings' | 'audit'>
  readonly signal: Signal
  readonly log: Logger
  readonly newId: NewId
}

/** Admins read and change the settings, have caches dropped, and read who changed what. */
export function addAdminSettingsRoutes(router: IRouter, { stores, signal, log, newId }: AdminSettingsDeps): void {
  mount(router, authAdminRoutes.settings, async () => ({
    body: presentSettings((await stores.settings.read()).settings),
  }))
  mount(router, authAdminRoutes.updateSettings, async ({ principal, body }) => {
    const { userId, requestId } = actingUser(principal)
    const entry = { id: newId(), actorId: userId, action: 'settings.changed', target: null, requestId }
    const { settings, version, changed } = await stores.settings.change((present) => changesOf(body, present), entry)
    if (changed) await tellSettingsChanged({ signal, log }, version)
    return { body: presentSettings(settings) }
  })
  mount(router, authAdminRoutes.clearCaches, async ({ principal }) => {
    const { userId, requestId } = actingUser(principal)
    await stores.audit.write({ id: newId(), actorId: userId, action: 'caches.cleared', target: null, requestId })
    await signal.publish('caches-cleared', {}).catch((error: unknown) => {
      throw unavailable(error)
    })
    return { body: { message: 'Every service has been told to drop its caches.' } }
  })
  mount(router, authAdminRoutes.audit, async ({ query }) => {
    const page = readPage(query)
    const rows = await stores.audit.list(page)
    return { body: { entries: rows.map(presentAudit), nextCursor: nextCursor(rows, page) } }
  })
}

async function tellSettingsChanged(
  { signal, log }: Pick<AdminSettingsDeps, 'signal' | 'log'>,
  version: number,
): Promise<void> {
  try {
    await signal.publish('settings-changed', { version })
  } catch (error) {
    // Copies of the settings also expire by themselves.
    log.warn({ err: error, version }, 'the change of the settings could not be signalled')
  }
}
