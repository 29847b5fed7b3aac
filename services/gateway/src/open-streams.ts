import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Route, UserPrincipal } from '@parley/contracts'
import type { Principals } from '@parley/kit/access-token'

/** Milliseconds that the service behind a stream has to end it with a word before it is cut. */
const politeMs = 500
/** Milliseconds for which rights may be unknown. */
const unknownMs = 30_000
const retryMs = 1_000
/** Users that auth is asked about at once. */
const usersAtOnce = 50

/** Answers that are being relayed to users, so that a ban or a sign-out ends them too. */
export interface OpenStreams {
  /** Watches an answer of a route until it closes. Those that the banned may read outlive a ban. */
  add(principal: UserPrincipal, response: ServerResponse, route: Route): void
  /** Asks anew what the user may do and cuts what they may no longer read. */
  review(userId: string): Promise<void>
  /** The same of everybody, of whom no change is known: while auth cannot be asked their streams go on for the 30 s that rights may be unknown. */
  reviewAll(): Promise<void>
}

interface Watched {
  readonly sessionId: string
  readonly bannedAllowed: boolean
  readonly response: ServerResponse
}

/** Keeps nothing but the open answers themselves. */
export function createOpenStreams(principals: Principals): OpenStreams {
  const byUser = new Map<string, Set<Watched>>()
  const mayGoOn = async (userId: string, { sessionId, bannedAllowed }: Watched): Promise<boolean | 'unknown'> => {
    try {
      const { active, rights } = await principals.standing({ userId, sessionId })
      return active && (bannedAllowed || !rights.isBanned)
    } catch {
      return 'unknown'
    }
  }
  /** Cuts the streams that may not go on. Resolves to those of which that is not known. */
  const decide = async (userId: string): Promise<Watched[]> => {
    const unknown: Watched[] = []
    const decideOne = async (watched: Watched): Promise<void> => {
      const answer = await mayGoOn(userId, watched)
      if (answer === false) cut(watched)
      if (answer === 'unknown') unknown.push(watched)
    }
    await Promise.all([...(byUser.get(userId) ?? [])].map(decideOne))
    return unknown
  }
  return {
    add({ userId, sessionId }, response, route) {
      const watched = { sessionId, bannedAllowed: route.bannedAllowed ?? false, response }
      const all = byUser.get(userId) ?? new Set()
      byUser.set(userId, all.add(watched))
      response.once('close', () => {
        all.delete(watched)
        if (all.size === 0 && byUser.get(userId) === all) byUser.delete(userId)
      })
    },
    async review(userId) {
      // Unknown is no: what a changed user may read is not guessed.
      for (const watched of await decide(userId)) cut(watched)
    },
    async reviewAll() {
      const deadline = performance.now() + unknownMs
      let users = [...byUser.keys()]
      while (users.length > 0) {
        const isLast = performance.now() > deadline
        const undecided: string[] = []
        for (let from = 0; from < users.length; from += usersAtOnce) {
          const some = users.slice(from, from + usersAtOnce)
          for (const [index, unknown] of (await Promise.all(some.map(decide))).entries()) {
            if (isLast) unknown.forEach(cut)
            else if (unknown.length > 0) undecided.push(some[index] ?? '')
          }
        }
        users = undecided
        if (users.length > 0) await delay(retryMs, undefined, { ref: false })
      }
    },
  }
}

function cut({ response }: Watched): void {
  setTimeout(() => response.destroy(), politeMs).unref()
}
