import type { Socket } from 'socket.io'
import type { SocketLimits } from '../limits.ts'

type Transport = Socket['conn']

/** Ends a connection at once, whether its client listens or not: the polite end of a WebSocket waits for an answer. */
export function terminate(conn: Transport): void {
  conn.close(true)
  // The type of a transport does not tell that one by WebSocket has it.
  const { socket } = conn.transport as { readonly socket?: { terminate?(): void } }
  socket?.terminate?.()
}

/** Connections that are not signed in yet. */
export interface Unauthenticated {
  /** Cuts the connection off when nobody signs in on it in time, or too many newer ones of its network wait, too. */
  add(conn: Transport, network: string): void
  /** The connection has signed in: its timer ends. */
  release(conn: Transport): void
}

/** @param ended called for each connection that is cut off */
export function createUnauthenticated(
  { unsignedPerNetwork, signInMs }: Pick<SocketLimits, 'unsignedPerNetwork' | 'signInMs'>,
  ended: (code: string) => void,
): Unauthenticated {
  /** By network, the oldest first: a client that signs in does so at once, and is among the newest. */
  const waiting = new Map<string, Map<Transport, () => void>>()
  const releases = new WeakMap<Transport, () => void>()
  return {
    add(conn, network) {
      const beside = waiting.get(network) ?? new Map<Transport, () => void>()
      waiting.set(network, beside)
      const cut = (): void => {
        ended('unsigned')
        terminate(conn)
      }
      const late = setTimeout(cut, signInMs)
      const release = (): void => {
        clearTimeout(late)
        beside.delete(conn)
        if (beside.size === 0 && waiting.get(network) === beside) waiting.delete(network)
      }
      beside.set(conn, cut)
      releases.set(conn, release)
      conn.once('close', release)
      const [oldest] = beside.values()
      if (beside.size > unsignedPerNetwork) oldest?.()
    },
    release: (conn) => releases.get(conn)?.(),
  }
}
