import { eventOf } from '@parley/bus'
import { authInternalRoutes, authRoutes } from '@parley/contracts'
import { mount, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import { deleteAccount } from '../account-data/erasure.ts'
import type { AuthParts } from '../parts.ts'

/** Deletes an account; services acknowledge its erasure, and notifier reads the recipient of the receipt. */
export function addErasureRoutes(router: IRouter, parts: AuthParts): void {
  const { stores, newId, now } = parts
  mount(router, authRoutes.deleteAccount, async ({ body, ...caller }) => ({
    headers: { 'set-cookie': await deleteAccount(parts, body.password, caller) },
    body: { message: 'Your account has been deleted. Your data is being erased; we’ll email you when it’s done.' },
  }))
  mount(router, authInternalRoutes.erasure, async ({ params }) => {
    const erased = await stores.erasures.erased(params.id)
    if (erased === undefined) throw notFound()
    const { email, username, locale, at } = erased
    return { body: { to: email, username, locale, erasedAt: at.toISOString() } }
  })
  mount(router, authInternalRoutes.acknowledgeErasure, async ({ params, body }) => {
    const { id } = params
    const erased = eventOf('auth.user-erased', id, { erasureId: id }, { id: newId(), at: now() })
    if (!(await stores.erasures.acknowledge(id, body.service, erased))) throw notFound()
    return {}
  })
}
