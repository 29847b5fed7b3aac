import type { Rate } from './token-bucket.ts'

/** Limits and time-outs of sockets; tests shorten some. */
export interface SocketLimits {
  /** Open connections of one user on this replica. */
  readonly connectionsPerUser: number
  /** Chats that one connection may join. */
  readonly chatsPerConnection: number
  /** Joins of one user on this replica, of all connections together: each reads from chat. A user's connections may all join all their chats at once. */
  readonly joins: Rate
  /** Packets of one connection. */
  readonly packets: Rate
  /** Milliseconds between two pings, and until a connection that does not answer is dropped. */
  readonly pingMs: number
  readonly pongMs: number
  /** Milliseconds until a connection that has not signed in is dropped. */
  readonly signInMs: number
  /** Connections of one network that are not signed in; beyond that the oldest are dropped. */
  readonly unsignedPerNetwork: number
  /** Milliseconds over which closing all connections is spread when the service drains. */
  readonly drainMs: number
  /** Milliseconds of silence in an answer's log after which chat is asked whether it is still being generated. */
  readonly lookMs: number
}

/** The limits in production. */
export const usualLimits: SocketLimits = {
  connectionsPerUser: 50,
  chatsPerConnection: 20,
  joins: { burst: 1_000, perSecond: 10 },
  packets: { burst: 200, perSecond: 50 },
  pingMs: 25_000,
  pongMs: 20_000,
  signInMs: 10_000,
  unsignedPerNetwork: 1_000,
  drainMs: 2_000,
  lookMs: 2_000,
}
