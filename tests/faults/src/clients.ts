import { newId } from '@parley/kit'
import { waitUntil } from '@parley/testing'
import { type Follower, follow } from './follower.ts'
import { emptyTranscript, type Received, sendAndListen } from './listener.ts'
import { words } from './provider.ts'
import type { Stage } from './stage.ts'

/** Clients that chat at once, each in a chat of its own. Their answers continue until they are finished. */
export interface Clients {
  /** What each of them has received of its answer. */
  readonly received: readonly Received[]
  /** Other tabs of some of them, which follow by sockets. */
  readonly followers: readonly Follower[]
  /** Resolves once every answer is in its middle and every follower follows. */
  inTheMiddle(): Promise<void>
  /** Resolves once every running answer has received another event. */
  progresses(): Promise<void>
  /** Has the provider end the answers after some more pieces. */
  finish(): void
  /** Resolves to what all of them received, once each answer ended or was given up. */
  all(): Promise<readonly Received[]>
}

/** How many clients there are and how their answers come. */
export interface ClientsOptions {
  readonly size: number
  /** Milliseconds between two pieces. */
  readonly pieceMs: number
  /** A client that receives nothing for so many milliseconds takes the connection for dead and opens another one; 3,000 by default. */
  readonly silenceMs?: number
}

const middle = 3
/** Followers at most; each has a socket. */
const mostFollowers = 25
/** Longer than any wait takes, also on a machine that does other work beside. */
const limitMs = 180_000

/** All clients send at once; each gets an answer of its own. */
export function startClients(stage: Stage, { size, pieceMs, silenceMs }: ClientsOptions): Clients {
  const round = newId().slice(-8)
  stage.provider.begin(round, pieceMs)
  const received: Received[] = []
  const followers: Follower[] = []
  const all = Array.from({ length: size }, (_, nth) => {
    const user = stage.users[nth % stage.users.length]
    if (user === undefined) throw new Error('There are no users')
    const one = emptyTranscript(words(round, nth), newId())
    received.push(one)
    // Not after every call: taking turns, a balancer would give all sockets to the same replica.
    if (nth % 2 === 0 && followers.length < mostFollowers) followers.push(follow(stage.split.url, user, one))
    return sendAndListen(user.api, one, silenceMs)
  })
  return {
    ...{ received, followers },
    async inTheMiddle() {
      await untilNone(() => received.filter(({ seq }) => seq < middle), 'every answer to be in its middle')
      const allFollow = () => followers.every(({ isFollowing }) => isFollowing)
      await waitUntil(allFollow, 'every follower to follow', limitMs, 50)
    },
    async progresses() {
      const running = received.filter(({ ending }) => ending === undefined).map((one) => ({ one, before: one.seq }))
      const stuck = () => running.filter(({ one, before }) => one.ending === undefined && one.seq === before)
      await untilNone(() => stuck().map(({ one }) => one), 'every answer to continue')
    },
    finish: () => stage.provider.finish(round),
    all: () => Promise.all(all),
  }
}

/** @throws Error that says of each one that is left what happened to it */
async function untilNone(left: () => readonly Received[], what: string): Promise<void> {
  await waitUntil(() => left().length === 0, what, limitMs, 50).catch((error: Error) => {
    const late = left().map(({ said, interruptions }) => `${said}: ${interruptions.join('; ')}`)
    throw new Error(`${error.message}:\n${late.join('\n')}`)
  })
}
