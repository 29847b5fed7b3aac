import { newId } from '@parley/kit'
import { waitUntil } from '@parley/testing'
import { type Follower, follow } from './follower.ts'
import { beginToHear, type Heard, sendAndListen } from './listener.ts'
import type { Stage } from './stage.ts'

/** People who chat at once, each in a chat of their own. */
export interface Crowd {
  /** How each of them hears their answer, from the beginning on. */
  readonly heard: readonly Heard[]
  /** Other tabs of some of them, which follow by sockets. */
  readonly followers: readonly Follower[]
  /** Resolves once every answer has begun, most are in the middle, and everybody who follows does. */
  inTheMiddle(): Promise<void>
  /** Resolves to what all of them heard, once each answer ended or was given up. */
  all(): Promise<readonly Heard[]>
}

/** How a crowd's answers are given. */
export interface CrowdOptions {
  readonly size: number
  /** Pieces of an answer. */
  readonly pieces: number
  /** Milliseconds between two pieces. */
  readonly pieceMs: number
}

const middle = 5
/** Of a crowd, at most; each has a socket. */
const mostFollowers = 25

/** What the provider answers to somebody who wrote `said`: every piece tells whose it is and where it stands. */
export const piecesFor = (said: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, nth) => `${said}.${nth} `)

/** Everybody sends at once; each gets an answer that nobody else gets. */
export function startCrowd(stage: Stage, options: CrowdOptions): Crowd {
  const round = newId().slice(-8)
  const heard: Heard[] = []
  const followers: Follower[] = []
  const all = Array.from({ length: options.size }, (_, nth) => {
    const user = stage.users[nth % stage.users.length]
    if (user === undefined) throw new Error('There are no users')
    const said = `${round}-${nth}-`
    stage.provider.always({ chunks: piecesFor(said, options.pieces), delayMs: options.pieceMs }, ({ messages }) =>
      String(messages?.findLast(({ role }) => role === 'user')?.content).includes(said),
    )
    const one = beginToHear(said, newId())
    heard.push(one)
    // Not after every call: taking turns, a balancer would give all sockets to the same replica.
    if (nth % 2 === 0 && followers.length < mostFollowers) followers.push(follow(stage.split.url, user, one))
    return sendAndListen(user.api, one)
  })
  return {
    ...{ heard, followers },
    async inTheMiddle() {
      const behind = () => heard.filter(({ seq }) => seq < middle)
      const all = () => (behind().length === 0 ? true : undefined)
      await waitUntil(all, 'every answer to be in its middle', 90_000, 50).catch((error: Error) => {
        const late = behind().map(({ said, interruptions }) => `${said}: ${interruptions.join('; ')}`)
        throw new Error(`${error.message}:\n${late.join('\n')}`)
      })
      const allFollow = () => followers.every(({ isFollowing }) => isFollowing) || undefined
      await waitUntil(allFollow, 'everybody to follow', 60_000, 50)
    },
    all: () => Promise.all(all),
  }
}
