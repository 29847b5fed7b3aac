import { isApiError } from '../../../shared/api/index.ts'
import type { MessageId } from '../../../shared/i18n/index.ts'

/** What single sign-on came back with, to be given to the server. */
export interface CallbackBody {
  readonly code: string
  readonly state: string
  readonly iss?: string
}

/** What to do with the address of the callback page. */
export type CallbackStart =
  | { readonly type: 'finish'; readonly body: CallbackBody }
  | { readonly type: 'failed'; readonly text: MessageId }

/** Reads the query that the provider led back with. What the provider writes for people is not shown: anybody can make such a link. */
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

/** What to say of a failure to which the server gave no words. */
export const failureText = (error: unknown): MessageId =>
  isApiError(error) && (error.status === 401 || error.status === 502 || error.status === 503)
    ? 'auth.callback.exchange'
    : 'auth.callback.unexpected'

/**
 * Runs work once for each key, and gives all who ask with that key the same outcome: a code is good for one use, while a page may be drawn and its effects
 * run several times. What it came to is forgotten once it is done, since it lets people in; a failure stays known.
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
