import type { ServerResponse } from 'node:http'
import type { UserPrincipal } from '@parley/contracts'
import type { Principals } from './identity/principals.ts'

/** Milliseconds that the service behind a stream has to end it with a word before it is cut. */
const politeMs = 500

/** Answers that are being relayed to users, so that a ban or a sign-out ends them too. */
export interface OpenStreams {
  /** Watches an answer until it closes. `bannedAllowed` ones outlive a ban. */
  add(principal: UserPrincipal, response: ServerResponse, bannedAllowed: boolean): void
  /** Asks anew what the user may do and cuts what they may no longer read. */
  review(userId: string): Promise<void>
}

interface Watched {
  readonly sessionId: string
  readonly bannedAllowed: boolean
  readonly response: ServerResponse
}

/** Keeps nothing but the open answers themselves. */
export function createOpenStreams(principals: Principals): OpenStreams {
  const byUser = new Map<string, Set<Watched>>()
  const mayGoOn = async (userId: string, { sessionId, bannedAllowed }: Watched): Promise<boolean> => {
    try {
      const { active, rights } = await principals.standing({ userId, sessionId })
      return active && (bannedAllowed || !rights.isBanned)
    } catch {
      // Unknown is no: what a changed user may read is not guessed.
      return false
    }
  }
  return {
    add({ userId, sessionId }, response, bannedAllowed) {
      const watched = { sessionId, bannedAllowed, response }
      const all = byUser.get(userId) ?? new Set()
      byUser.set(userId, all.add(watched))
      response.once('close', () => {
        all.delete(watched)
        if (all.size === 0 && byUser.get(userId) === all) byUser.delete(userId)
      })
    },
    async review(userId) {
      await Promise.all(
        [...(byUser.get(userId) ?? [])].map(async (watched) => {
          if (!(await mayGoOn(userId, watched))) setTimeout(() => watched.response.destroy(), politeMs).unref()
        }),
      )
    },
  }
}
