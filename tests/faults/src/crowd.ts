import { newId } from '@parley/kit'
import { waitUntil } from '@parley/testing'
import { type Follower, follow } from './follower.ts'
import { beginToHear, type Heard, sendAndListen } from './listener.ts'
import { words } from './provider.ts'
import type { Stage } from './stage.ts'

/** People who chat at once, each in a chat of their own. Their answers go on until they are told to end. */
export interface Crowd {
  /** How each of them hears their answer, from the beginning on. */
  readonly heard: readonly Heard[]
  /** Other tabs of some of them, which follow by sockets. */
  readonly followers: readonly Follower[]
  /** Resolves once every answer has begun, most are in the middle, and everybody who follows does. */
  inTheMiddle(): Promise<void>
  /** Resolves once each answer that has not ended was heard of anew. */
  goesOn(): Promise<void>
  /** Tells the answers to end after some more pieces. */
  finish(): void
  /** Resolves to what all of them heard, once each answer ended or was given up. */
  all(): Promise<readonly Heard[]>
}

/** How a crowd's answers are given. */
export interface CrowdOptions {
  readonly size: number
  /** Milliseconds between two pieces. */
  readonly pieceMs: number
  /** Whoever hears nothing for so many milliseconds takes the connection for dead and makes another one; 3,000 unless told. */
  readonly silenceMs?: number
}

const middle = 3
/** Of a crowd, at most; each has a socket. */
const mostFollowers = 25
/** Longer than any wait takes, also on a machine that does other work beside. */
const limitMs = 180_000

/** Everybody sends at once; each gets an answer that nobody else gets. */
export function startCrowd(stage: Stage, { size, pieceMs, silenceMs }: CrowdOptions): Crowd {
  const round = newId().slice(-8)
  stage.provider.begin(round, pieceMs)
  const heard: Heard[] = []
  const followers: Follower[] = []
  const all = Array.from({ length: size }, (_, nth) => {
    const user = stage.users[nth % stage.users.length]
    if (user === undefined) throw new Error('There are no users')
    const one = beginToHear(words(round, nth), newId())
    heard.push(one)
    // Not after every call: taking turns, a balancer would give all sockets to the same replica.
    if (nth % 2 === 0 && followers.length < mostFollowers) followers.push(follow(stage.split.url, user, one))
    return sendAndListen(user.api, one, silenceMs)
  })
  return {
    ...{ heard, followers },
    async inTheMiddle() {
      await untilNone(() => heard.filter(({ seq }) => seq < middle), 'every answer to be in its middle')
      const allFollow = () => followers.every(({ isFollowing }) => isFollowing) || undefined
      await waitUntil(allFollow, 'everybody to follow', limitMs, 50)
    },
    async goesOn() {
      const running = heard.filter(({ ending }) => ending === undefined).map((one) => ({ one, before: one.seq }))
      const stuck = () => running.filter(({ one, before }) => one.ending === undefined && one.seq === before)
      await untilNone(() => stuck().map(({ one }) => one), 'every answer to go on')
    },
    finish: () => stage.provider.finish(round),
    all: () => Promise.all(all),
  }
}

/** @throws Error that says of each one that is left what happened to it */
async function untilNone(left: () => readonly Heard[], what: string): Promise<void> {
  await waitUntil(() => left().length === 0 || undefined, what, limitMs, 50).catch((error: Error) => {
    const late = left().map(({ said, interruptions }) => `${said}: ${interruptions.join('; ')}`)
    throw new Error(`${error.message}:\n${late.join('\n')}`)
  })
}
