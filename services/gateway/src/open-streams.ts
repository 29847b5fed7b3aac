import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Route } from '@parley/contracts'
import type { Clock } from '@parley/kit'
import type { Caller } from './identity/identify.ts'

/** Milliseconds that the service behind a stream has to end it with a word before it is cut. */
const politeMs = 500
/** Milliseconds for which rights may be unknown. */
const unknownMs = 30_000
const retryMs = 1_000
/** Users that auth is asked about at once. */
const usersAtOnce = 50

/** Answers that are being relayed to users and their API keys, so that a ban, a sign-out or the end of the key ends them too. */
export interface OpenStreams {
  /** Watches an answer of a route until it closes. Those that the banned may read outlive a ban. */
  add(caller: Caller, response: ServerResponse, route: Route): void
  /** Asks anew what the user and the user's keys may do and cuts what they may no longer read. */
  review(userId: string): Promise<void>
  /** The same of everybody, of whom no change is known: while auth cannot be asked their streams go on for the 30 s that rights may be unknown. */
  reviewAll(): Promise<void>
}

interface Watched {
  readonly mayContinue: () => Promise<boolean>
  readonly response: ServerResponse
}

/** Keeps nothing but the open answers themselves. */
export function createOpenStreams(now: Clock): OpenStreams {
  const byUser = new Map<string, Set<Watched>>()
  const mayContinue = async (watched: Watched): Promise<boolean | 'unknown'> => {
    try {
      return await watched.mayContinue()
    } catch {
      return 'unknown'
    }
  }
  /** Cuts the streams that may not go on. Resolves to those of which that is not known. */
  const decide = async (userId: string): Promise<Watched[]> => {
    const unknown: Watched[] = []
    const decideOne = async (watched: Watched): Promise<void> => {
      const answer = await mayContinue(watched)
      if (answer === false) cut(watched)
      if (answer === 'unknown') unknown.push(watched)
    }
    await Promise.all([...(byUser.get(userId) ?? [])].map(decideOne))
    return unknown
  }
  return {
    add({ principal, mayContinue: asksAnew, endsAt }, response, route) {
      if (!('userId' in principal) || asksAnew === undefined) return
      const { userId } = principal
      const watched = { mayContinue: () => asksAnew(route), response }
      const all = byUser.get(userId) ?? new Set()
      byUser.set(userId, all.add(watched))
      const expiry = endsAt ? cutAt(Date.parse(endsAt) - now().getTime(), response) : undefined
      response.once('close', () => {
        clearTimeout(expiry)
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

function cut({ response }: Pick<Watched, 'response'>): void {
  setTimeout(() => response.destroy(), politeMs).unref()
}

/** No answer takes longer than a timer can wait. */
function cutAt(inMs: number, response: ServerResponse): NodeJS.Timeout | undefined {
  return inMs < 2 ** 31 ? setTimeout(() => response.destroy(), inMs).unref() : undefined
}
