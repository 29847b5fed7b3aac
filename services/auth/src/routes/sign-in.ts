import { authRoutes } from '@parley/contracts'
import { mount } from '@parley/kit'
import type { IRouter } from 'express'
import type { AuthParts } from '../parts.ts'
import { presentUser } from '../present.ts'
import { endBrowserSession, refreshSession, type SignedIn } from '../sessions/browser-session.ts'
import { register } from '../sessions/registration.ts'
import { type AwaitingCode, signIn } from '../sessions/sign-in.ts'
import type { Account } from '../store/account.ts'
import { changeEmail } from '../verification/email-change.ts'
import { mailOutcomeFor } from '../verification/mail-outcome.ts'
import { confirmCode, resendCode } from '../verification/verification.ts'

/** Register, confirm, sign in, stay signed in, sign out. */
export function addSignInRoutes(router: IRouter, parts: AuthParts): void {
  mount(router, authRoutes.register, async ({ body, ...caller }) =>
    registrationReply(await register(parts, body, caller)),
  )
  mount(router, authRoutes.login, async ({ body, ...caller }) => {
    const identifier = body.identifier ?? body.username ?? body.email ?? ''
    return signInReply(await signIn(parts, { identifier, password: body.password }, caller))
  })
  mount(router, authRoutes.refresh, async (caller) => tokenReply(await refreshSession(parts, caller)))
  mount(router, authRoutes.logout, async (caller) => setCookies(await endBrowserSession(parts, caller)))
  addVerificationRoutes(router, parts)
}

function addVerificationRoutes(router: IRouter, parts: AuthParts): void {
  mount(router, authRoutes.verifyEmail, async ({ body, ...caller }) =>
    tokenReply(await confirmCode(parts, body, caller)),
  )
  mount(router, authRoutes.verificationMail, async (caller) => ({
    body: { outcome: await mailOutcomeFor(parts, caller) },
  }))
  mount(router, authRoutes.resendVerification, async ({ body, ...caller }) => {
    await resendCode(parts, body.username, caller)
    return {
      body: {
        message: 'If this account is waiting for a code, a new one is on its way. You can request one every minute.',
      },
    }
  })
  mount(router, authRoutes.updateEmail, async ({ body, ...caller }) => {
    const cookies = await changeEmail(parts, body, caller)
    const message = 'Your email address has been changed. A verification code is on its way to it.'
    return { body: { message }, ...setCookies(cookies) }
  })
}

const setCookies = (cookies: string[]) => ({ headers: { 'set-cookie': cookies } })

const tokenReply = ({ token, account, cookies }: SignedIn) => ({
  body: { token, user: presentUser(account) },
  ...setCookies(cookies),
})

/** The answer to a user who has signed in, or has to confirm the address first: until then a sign-in shows nothing but names. */
export const signInReply = (outcome: SignedIn | AwaitingCode) =>
  replyTo(outcome, ({ username, email }) => ({ username, email }))

/** The same to the browser that made the account, whose user it shows at once. */
const registrationReply = (outcome: SignedIn | AwaitingCode) => replyTo(outcome, presentUser)

function replyTo<Awaiting>(outcome: SignedIn | AwaitingCode, presentAwaiting: (account: Account) => Awaiting) {
  const body =
    'awaiting' in outcome
      ? { user: presentAwaiting(outcome.awaiting), emailVerificationRequired: true as const }
      : { token: outcome.token, user: presentUser(outcome.account), emailVerificationRequired: false as const }
  return { body, ...setCookies(outcome.cookies) }
}
