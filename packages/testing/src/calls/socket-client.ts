import { type ClientEvent, type ServerEvent, type ServerPayload, socketAddress } from '@parley/contracts'
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client'
import { waitUntil } from '../data/wait-until.ts'

export type Heard = { [E in ServerEvent]: { readonly event: E; readonly payload: ServerPayload<E> } }[ServerEvent]

/** A socket client that records the events it receives. */
export type SocketClient = ReturnType<typeof openSocket>

/** The client's error for a refused handshake. */
export interface SocketRefusal extends Error {
  readonly data?: { readonly error: string; readonly code: string }
}

/** Options of a client; by default one WebSocket without reconnection. */
export type SocketClientOptions = Partial<ManagerOptions & SocketOptions>

/** Starts to connect. @param auth of the handshake */
export function openSocket(url: string, auth: object, options: SocketClientOptions = {}) {
  const socket: Socket = io(url + socketAddress.namespace, {
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
    /** All events, in order. */
    heard: heard as readonly Heard[],
    /** The payloads of this event so far. */
    all,
    /** Waits for the first matching event, including past ones. @throws Error after a time-out */
    until: <E extends ServerEvent>(
      event: E,
      match: (payload: ServerPayload<E>) => boolean = () => true,
    ): Promise<ServerPayload<E>> => waitUntil(() => all(event).find(match), `the event ${event}`),
    say: (event: ClientEvent, payload: unknown) => void socket.emit(event, payload),
    close: () => void socket.disconnect(),
  }
}

/** Connects as the user of the token. @throws SocketRefusal */
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

/** Resolves to undefined once the client is connected, or to the refusal. */
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
