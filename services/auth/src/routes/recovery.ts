import { authInternalRoutes, authRoutes } from '@parley/contracts'
import { actingUser, mount, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import type { AuthParts } from '../parts.ts'
import { changePassword } from '../passwords/password-change.ts'
import { confirmReset, issueReset, requestReset } from '../passwords/password-reset.ts'
import { recipientOf } from '../present.ts'

/** Another password: by a mailed link, or by the present one. */
export function addRecoveryRoutes(router: IRouter, parts: AuthParts): void {
  mount(router, authRoutes.requestPasswordReset, async ({ body, ...caller }) => {
    await requestReset(parts, body.email, caller)
    return {
      body: { message: 'If there’s an account with this address, a link to choose a new password is on its way.' },
    }
  })
  mount(router, authRoutes.confirmPasswordReset, async ({ body, ...caller }) => {
    const cookies = await confirmReset(parts, body, caller)
    const message = 'Your password was changed and every device was signed out. Please sign in with the new password.'
    return { body: { message }, headers: { 'set-cookie': cookies } }
  })
  mount(router, authRoutes.changePassword, async ({ body, headers, principal }) => {
    const cookies = await changePassword(parts, body, { headers, principal: actingUser(principal) })
    const message = 'Your password was changed. Every other device was signed out.'
    return { body: { message }, headers: { 'set-cookie': cookies } }
  })
}

/** Routes for notifier, which mails users. */
export function addRecipientRoutes(router: IRouter, parts: AuthParts): void {
  mount(router, authInternalRoutes.issuePasswordReset, async ({ params }) => ({
    body: await issueReset(parts, params.id),
  }))
  mount(router, authInternalRoutes.recipient, async ({ params }) => {
    const account = await parts.stores.accounts.byId(params.id)
    if (account === undefined) throw notFound()
    return { body: recipientOf(account) }
  })
}
