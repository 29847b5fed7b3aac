import type { Socket } from 'socket.io'
import type { SocketLimits } from '../limits.ts'

type Transport = Socket['conn']

/** Destroys a connection at once: a WebSocket close handshake would wait for the client. */
export function terminate(conn: Transport): void {
  conn.close(true)
  // Missing in the library's types; the WebSocket transport has it.
  const { socket } = conn.transport as { readonly socket?: { terminate?(): void } }
  socket?.terminate?.()
}

/** Connections that are not signed in yet. @param ended called for each terminated one */
export function createUnauthenticated(
  { unsignedPerNetwork, signInMs }: Pick<SocketLimits, 'unsignedPerNetwork' | 'signInMs'>,
  ended: (code: string) => void,
) {
  /** By network, oldest first: genuine clients sign in at once, so the oldest are the ones to drop. */
  const waiting = new Map<string, Map<Transport, () => void>>()
  const releases = new WeakMap<Transport, () => void>()
  return {
    /** Terminates the connection if it does not sign in in time, or if its network has too many newer ones. */
    add(conn: Transport, network: string): void {
      const ofNetwork = waiting.get(network) ?? new Map<Transport, () => void>()
      waiting.set(network, ofNetwork)
      const cut = (): void => {
        ended('unsigned')
        terminate(conn)
      }
      const late = setTimeout(cut, signInMs)
      const release = (): void => {
        clearTimeout(late)
        ofNetwork.delete(conn)
        if (ofNetwork.size === 0 && waiting.get(network) === ofNetwork) waiting.delete(network)
      }
      ofNetwork.set(conn, cut)
      releases.set(conn, release)
      conn.once('close', release)
      const [oldest] = ofNetwork.values()
      if (ofNetwork.size > unsignedPerNetwork) oldest?.()
    },
    /** Cancels the timer of a connection that has signed in. */
    release: (conn: Transport): void => releases.get(conn)?.(),
  }
}
