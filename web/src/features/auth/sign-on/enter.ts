import type { OAuthAnswer } from '@parley/contracts'
import { rememberReturnPath, signIn } from '../../../shared/session/index.ts'
import { setPending } from '../pending.ts'

/** Completes single sign-on: the user is signed in and sent to the requested page, or first to the verification step. */
export function enter(answer: OAuthAnswer, navigate: (to: string, options: { replace: true }) => void): void {
  rememberReturnPath(answer.returnTo)
  if (!answer.emailVerificationRequired) signIn(answer.token, answer.user)
  else {
    setPending({ ...answer.user, sentAt: Date.now() })
    navigate('/login', { replace: true })
  }
}
