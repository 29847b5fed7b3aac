import type { OAuthAnswer } from '@parley/contracts'
import { rememberWantedPath, signIn } from '../../../shared/session/index.ts'
import { setPending } from '../pending.ts'

/** Takes in whom single sign-on brought: signed in and led to where they wanted to go, or first to the code that was mailed. */
export function enter(answer: OAuthAnswer, navigate: (to: string, options: { replace: true }) => void): void {
  rememberWantedPath(answer.returnTo)
  if (!answer.emailVerificationRequired) signIn(answer.token, answer.user)
  else {
    setPending({ ...answer.user, sentAt: Date.now() })
    navigate('/login', { replace: true })
  }
}
