/** What sockets may do and how long things take; tests shorten some. */
export interface SocketLimits {
  /** Open connections of one user on this replica. */
  readonly connectionsPerUser: number
  /** Chats that one connection follows. */
  readonly chatsPerConnection: number
  /** Packets that a connection may send at once, and how many more each second. */
  readonly packets: { readonly burst: number; readonly perSecond: number }
  /** Milliseconds between two pings, and until a connection is dropped that answers none. */
  readonly pingMs: number
  readonly pongMs: number
  /** Milliseconds until a connection is dropped that nobody has signed in on. */
  readonly signInMs: number
  /** Connections of one network on which nobody has signed in; of more the oldest are dropped. */
  readonly unsignedPerNetwork: number
  /** Milliseconds within which all connections are ended, one after the other, when the service leaves. */
  readonly drainMs: number
  /** Milliseconds of an answer's silence after which chat is asked whether it is still being made. */
  readonly lookMs: number
}

/** Those of the product. */
export const usualLimits: SocketLimits = {
  connectionsPerUser: 50,
  chatsPerConnection: 20,
  packets: { burst: 200, perSecond: 50 },
  pingMs: 25_000,
  pongMs: 20_000,
  signInMs: 10_000,
  unsignedPerNetwork: 1_000,
  drainMs: 2_000,
  lookMs: 2_000,
}
