import type { Socket } from 'socket.io'
import type { SocketLimits } from '../limits.ts'

type Transport = Socket['conn']

/** Ends a connection at once, whether its client listens or not: the polite end of a WebSocket waits for an answer. */
export function cutOff(conn: Transport): void {
  conn.close(true)
  // The type of a transport does not tell that one by WebSocket has it.
  const { socket } = conn.transport as { readonly socket?: { terminate?(): void } }
  socket?.terminate?.()
}

/** Connections on which nobody has signed in. */
export interface Unsigned {
  /** Cuts the connection off when nobody signs in on it in time, or too many newer ones of its network wait, too. */
  add(conn: Transport, network: string): void
  /** Somebody has signed in: it is left alone. */
  release(conn: Transport): void
}

/** @param ended told of each connection that is cut off */
export function createUnsigned(
  { unsignedPerNetwork, signInMs }: Pick<SocketLimits, 'unsignedPerNetwork' | 'signInMs'>,
  ended: (code: string) => void,
): Unsigned {
  /** By network, the oldest first: whoever signs in does so at once, and is among the newest. */
  const waiting = new Map<string, Map<Transport, () => void>>()
  const releases = new WeakMap<Transport, () => void>()
  return {
    add(conn, network) {
      const beside = waiting.get(network) ?? new Map<Transport, () => void>()
      waiting.set(network, beside)
      const cut = (): void => {
        ended('unsigned')
        cutOff(conn)
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
