import type { ServerResponse } from 'node:http'
import type { Route } from '@parley/contracts'
import type { Clock } from '@parley/kit'
import { reviewUsers } from '@parley/kit/access-token'
import type { Caller, Continuation } from './identity/identify.ts'

/** Milliseconds in which the service may end a stream with a last event before it is cut. */
const politeMs = 500

/** Running responses to users and API keys, which end on a ban, a sign-out or the expiry of the key. */
export type OpenStreams = ReturnType<typeof createOpenStreams>

interface Watched {
  readonly mayContinue: () => Promise<Continuation>
  readonly response: ServerResponse
  /** Ends the stream when its key expires. */
  expiry?: NodeJS.Timeout | undefined
}

/** Keeps no state except the open responses. */
export function createOpenStreams(now: Clock) {
  const byUser = new Map<string, Set<Watched>>()
  const endAt = (watched: Watched, endsAt: string | null | undefined): void => {
    clearTimeout(watched.expiry)
    if (watched.response.destroyed) return
    watched.expiry = endsAt ? cutAt(Date.parse(endsAt) - now().getTime(), watched.response) : undefined
  }
  /** Cuts a stream that may not continue. Resolves to whether that is known. */
  const decide = async (watched: Watched): Promise<boolean> => {
    try {
      const continuation = await watched.mayContinue()
      // The expiry of a key may have changed while the stream runs.
      if (continuation) endAt(watched, continuation.endsAt)
      else cut(watched)
      return true
    } catch {
      // Auth or billing cannot be asked.
      return false
    }
  }
  /** Cuts a user's streams that may not continue. Resolves to those of which that is unknown. */
  const decideAll = async (userId: string): Promise<Watched[]> => {
    const all = [...(byUser.get(userId) ?? [])]
    const known = await Promise.all(all.map(decide))
    return all.filter((_watched, nth) => !known[nth])
  }
  return {
    /** Watches a route's response until it closes. Routes that banned users may read are not affected by a ban. */
    add({ principal, mayContinue: asksAnew, endsAt }: Caller, response: ServerResponse, route: Route): void {
      if (!('userId' in principal) || asksAnew === undefined) return
      const { userId } = principal
      const watched: Watched = { mayContinue: () => asksAnew(route), response }
      const all = byUser.get(userId) ?? new Set()
      byUser.set(userId, all.add(watched))
      endAt(watched, endsAt)
      response.once('close', () => {
        clearTimeout(watched.expiry)
        all.delete(watched)
        if (all.size === 0 && byUser.get(userId) === all) byUser.delete(userId)
      })
      // A change that arrived while the caller was being admitted found no stream to cut.
      void decide(watched)
    },
    /** Checks the rights of a user and their keys again: streams they may no longer read are cut, others end at the present expiry of their key. */
    async review(userId: string): Promise<void> {
      // Fail closed: the rights of a changed user are not guessed.
      for (const watched of await decideAll(userId)) cut(watched)
    },
    /** The same for all users, without a known change: if auth is unavailable, streams continue for the 30 s allowed for unknown rights. */
    reviewAll: (): Promise<void> => reviewUsers(byUser.keys(), decideAll, cut),
  }
}

function cut({ response }: Pick<Watched, 'response'>): void {
  setTimeout(() => response.destroy(), politeMs).unref()
}

/** Undefined when the time exceeds the maximum of a timer, which no response reaches. */
function cutAt(inMs: number, response: ServerResponse): NodeJS.Timeout | undefined {
  return inMs < 2 ** 31 ? setTimeout(() => response.destroy(), inMs).unref() : undefined
}
