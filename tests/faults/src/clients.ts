import { newId } from '@parley/kit'
import { waitUntil } from '@parley/testing'
import { type Follower, follow } from './follower.ts'
import { emptyTranscript, type Received, sendAndListen } from './listener.ts'
import { words } from './provider.ts'
import type { Stage } from './stage.ts'

/** Concurrent clients, each in a chat of its own. Their answers stream until `finish`. */
export type Clients = ReturnType<typeof startClients>

/** The number of clients and the pace of their answers. */
export interface ClientsOptions {
  readonly size: number
  /** Milliseconds between two pieces. */
  readonly pieceMs: number
  /** Milliseconds of silence after which a client considers its connection dead and opens another; 3,000 by default. */
  readonly silenceMs?: number
}

const middle = 3
/** The maximum number of followers; each has a socket. */
const mostFollowers = 25
/** Longer than any wait takes, even on a busy machine. */
const limitMs = 180_000

/** Starts all clients at once; each sends one message. */
export function startClients(stage: Stage, { size, pieceMs, silenceMs }: ClientsOptions) {
  const round = newId().slice(-8)
  stage.provider.begin(round, pieceMs)
  const received: Received[] = []
  const followers: Follower[] = []
  const all = Array.from({ length: size }, (_, nth) => {
    const user = stage.users[nth % stage.users.length]
    if (user === undefined) throw new Error('There are no users')
    const one = emptyTranscript(words(round, nth), newId())
    received.push(one)
    // Only every second call: if both alternated, a round-robin balancer would send all sockets to the same replica.
    if (nth % 2 === 0 && followers.length < mostFollowers)
      followers.push(follow(stage.split.url, user, one, followers.length))
    return sendAndListen(user.api, one, silenceMs)
  })
  return {
    /** Each client's received answer. */
    received,
    /** Second tabs of some clients, which follow over sockets. */
    followers,
    /** Resolves once every answer has started and every follower has joined. */
    async inTheMiddle(): Promise<void> {
      await untilNone(() => received.filter(({ seq }) => seq < middle), 'every answer to be in its middle')
      const allFollow = () => followers.every(({ isFollowing }) => isFollowing)
      await waitUntil(allFollow, 'every follower to follow', limitMs, 50)
    },
    /** Resolves once every running answer has received another event. */
    async progresses(): Promise<void> {
      const running = received.filter(({ ending }) => ending === undefined).map((one) => ({ one, before: one.seq }))
      const stuck = () => running.filter(({ one, before }) => one.ending === undefined && one.seq === before)
      await untilNone(() => stuck().map(({ one }) => one), 'every answer to continue')
    },
    /** Makes the provider end the answers after a few more pieces. */
    finish: (): void => stage.provider.finish(round),
    /** Resolves to everything received, once each answer has ended or was given up. */
    all: (): Promise<readonly Received[]> => Promise.all(all),
  }
}

/** @throws Error with the state of each client that is left */
async function untilNone(left: () => readonly Received[], what: string): Promise<void> {
  await waitUntil(() => left().length === 0, what, limitMs, 50).catch((error: Error) => {
    const late = left().map(({ said, interruptions }) => `${said}: ${interruptions.join('; ')}`)
    throw new Error(`${error.message}:\n${late.join('\n')}`)
  })
}
