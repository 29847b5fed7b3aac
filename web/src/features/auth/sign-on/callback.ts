import { isApiError } from '../../../shared/api/index.ts'
import type { MessageId } from '../../../shared/i18n/index.ts'

/** The result of single sign-on, to be sent to the server. */
export interface CallbackBody {
  readonly code: string
  readonly state: string
  readonly iss?: string
}

/** The action for the callback page's URL. */
export type CallbackStart =
  | { readonly type: 'finish'; readonly body: CallbackBody }
  | { readonly type: 'failed'; readonly text: MessageId }

/** Parses the query set by the provider. The provider's error text is not shown, because anybody can craft such a link. */
export function readCallback(search: string): CallbackStart {
  const query = new URLSearchParams(search)
  const error = query.get('error')
  if (error === 'access_denied') return { type: 'failed', text: 'auth.callback.denied' }
  if (error !== null) return { type: 'failed', text: 'auth.callback.unexpected' }
  const [code, state, iss] = ['code', 'state', 'iss'].map((name) => query.get(name) ?? '')
  if (!code) return { type: 'failed', text: 'auth.callback.noCode' }
  if (!state) return { type: 'failed', text: 'auth.callback.noState' }
  return { type: 'finish', body: { code, state, ...(iss && { iss }) } }
}

/** The text of a failure without a text from the server. */
export const failureText = (error: unknown): MessageId =>
  isApiError(error) && (error.status === 401 || error.status === 502 || error.status === 503)
    ? 'auth.callback.exchange'
    : 'auth.callback.unexpected'

/**
 * Runs work once per key, and gives all callers with that key the same result: a code is valid for one use, while React may render and run
 * effects several times. A result is forgotten once delivered, because it grants access; a failure is kept.
 */
export function createOnce<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const begun = new Map<string, Promise<T>>()
  return (key, work) => {
    const known = begun.get(key)
    if (known) return known
    const outcome = work()
    begun.set(key, outcome)
    outcome.then(
      () => begun.delete(key),
      () => undefined,
    )
    return outcome
  }
}
