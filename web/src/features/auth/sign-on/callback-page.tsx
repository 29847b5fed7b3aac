import type { OAuthAnswer } from '@parley/contracts'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { endpoints, isApiError, messageOf, request } from '../../../shared/api/index.ts'
import { useText, type Wording } from '../../../shared/i18n/index.ts'
import { LoadingOverlay, notify } from '../../../shared/ui/index.ts'
import { type CallbackBody, createOnce, failureText, readCallback } from './callback.ts'
import { CallbackFailure } from './callback-failure.tsx'
import { enter } from './enter.ts'
import { LinkForm } from './link-form.tsx'

type State =
  | { readonly type: 'working' }
  | { readonly type: 'failed'; readonly words: Wording }
  | { readonly type: 'link'; readonly words: Wording }

const finishOnce = createOnce<OAuthAnswer>()
const finish = (body: CallbackBody): Promise<OAuthAnswer> =>
  finishOnce(body.state + body.code, () => request(endpoints.finishOAuth, { body }))

/** `/auth/callback`: completes single sign-on. An account with the same e-mail is linked with its password; a failure is shown with a way back. */
export function CallbackPage() {
  const { t } = useText()
  const end = useSignOnEnd()
  const [over, setOver] = useState<{ readonly words: Wording } | null>(null)
  if (over !== null) return <CallbackFailure text={over.words(t)} />
  if (end.type === 'working') return <LoadingOverlay what="authenticating" />
  return end.type === 'link' ? (
    <LinkForm lead={end.words(t)} onOver={(words) => setOver({ words })} />
  ) : (
    <CallbackFailure text={end.words(t)} />
  )
}

function useSignOnEnd(): State {
  const navigate = useNavigate()
  const { search, pathname } = useLocation()
  const [start] = useState(() => readCallback(search))
  const [state, setState] = useState<State>({ type: 'working' })
  useEffect(() => {
    // Code and state are secret, so they are removed from the URL and the history.
    navigate(pathname, { replace: true })
    let shown = true
    const show = (next: State) => {
      if (!shown) return
      if (next.type === 'failed') notify.error(next.words, { id: 'form' })
      setState(next)
    }
    if (start.type === 'failed') show({ type: 'failed', words: (now) => now(start.text) })
    else
      finish(start.body).then(
        (answer) => shown && enter(answer, navigate),
        (error: unknown) => {
          if (isApiError(error) && error.code === 'email_taken') {
            show({ type: 'link', words: (now) => messageOf(error, now('auth.link.lead')) })
          } else show({ type: 'failed', words: (now) => messageOf(error, now(failureText(error))) })
        },
      )
    return () => {
      shown = false
    }
  }, [navigate, pathname, start])
  return state
}
