import { authRoutes, type OAuthAnswer } from '@parley/contracts'
import { mount, mountStream } from '@parley/kit'
import type { IRouter } from 'express'
import type { AuthParts } from '../parts.ts'
import { finishSignOn, linkIdentity, type SignedOn, startSignOn } from '../single-sign-on/single-sign-on.ts'
import { signInReply } from './sign-in.ts'

/** The way to the provider and back, and the proof that an account with the same address belongs to the user. */
export function addSingleSignOnRoutes(router: IRouter, parts: AuthParts): void {
  mountStream(router, authRoutes.startOAuth, async ({ query, ...caller }, response, { method }) => {
    if (method === 'HEAD') {
      // It shows no address, so that nobody could end the sign-on.
      response.end()
      return
    }
    const { url, cookie } = await startSignOn(parts, query.returnTo, caller)
    response.setHeader('set-cookie', cookie).json({ url })
  })
  mount(router, authRoutes.finishOAuth, async ({ body, ...caller }) =>
    signedOnReply(await finishSignOn(parts, body, caller)),
  )
  mount(router, authRoutes.linkOAuth, async ({ body, ...caller }) =>
    signedOnReply(await linkIdentity(parts, body.password, caller)),
  )
}

function signedOnReply({ outcome, returnTo }: SignedOn) {
  const { body, headers } = signInReply(outcome)
  const answer: OAuthAnswer = { ...body, returnTo }
  return { body: answer, headers }
}
