import { type ClientEvent, type ServerEvent, type ServerPayload, socketAddress } from '@parley/contracts'
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client'
import { waitUntil } from './wait-until.ts'

/** What the server said. */
export type Heard = { [E in ServerEvent]: { readonly event: E; readonly payload: ServerPayload<E> } }[ServerEvent]

/** A client of the sockets that remembers what it was told. */
export interface SocketClient {
  readonly socket: Socket
  /** In order. */
  readonly heard: readonly Heard[]
  /** What was said with this event. */
  all<E extends ServerEvent>(event: E): ServerPayload<E>[]
  /** The first one that was or is said and matches. @throws Error when none is */
  until<E extends ServerEvent>(event: E, match?: (payload: ServerPayload<E>) => boolean): Promise<ServerPayload<E>>
  say(event: ClientEvent, payload: unknown): void
  close(): void
}

/** A refused handshake, as the client sees it. */
export interface SocketRefusal extends Error {
  readonly data?: { readonly error: string; readonly code: string }
}

/** What a test may choose; one WebSocket without reconnection unless told. */
export type SocketClientOptions = Partial<ManagerOptions & SocketOptions>

/** Begins to connect. @param auth what the handshake carries */
export function openSocket(url: string, auth: object, options: SocketClientOptions = {}): SocketClient {
  const socket = io(url + socketAddress.namespace, {
    path: socketAddress.path,
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    auth: { ...auth },
    ...options,
  })
  const heard: Heard[] = []
  socket.onAny((event: string, payload: unknown) => heard.push({ event, payload } as Heard))
  const all = <E extends ServerEvent>(event: E): ServerPayload<E>[] =>
    heard.filter((one) => one.event === event).map(({ payload }) => payload as ServerPayload<E>)
  return {
    socket,
    heard,
    all,
    until: (event, match = () => true) => waitUntil(() => all(event).find(match), `the event ${event}`),
    say: (event, payload) => void socket.emit(event, payload),
    close: () => void socket.disconnect(),
  }
}

/** Connects as whoever the token is of. @throws SocketRefusal when that is refused */
export async function connectSocket(
  url: string,
  token: string,
  options: SocketClientOptions = {},
): Promise<SocketClient> {
  const client = openSocket(url, { token }, options)
  const refusal = await connected(client)
  if (refusal !== undefined) throw refusal
  return client
}

/** Resolves when the client is connected, or to why it is not. */
export function connected({ socket }: SocketClient): Promise<SocketRefusal | undefined> {
  return new Promise((resolve) => {
    if (socket.connected) return resolve(undefined)
    socket.once('connect', () => resolve(undefined))
    socket.once('connect_error', (error: SocketRefusal) => {
      socket.disconnect()
      resolve(error)
    })
  })
}
