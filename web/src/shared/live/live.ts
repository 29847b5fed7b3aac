import type { ClientEvent, ServerEvent, ServerPayload } from '@parley/contracts'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { type Backoff, backoffDelay } from './backoff.ts'
import type { OnWake } from './wake.ts'

/** Where the socket stands: not wanted, on its way for the first time, there, lost and tried again, or given up until something changes. */
export type LiveState = 'off' | 'connecting' | 'live' | 'away' | 'failed'

/** One socket, connected only when asked to; after its end it may be connected again. */
export interface LiveSocket {
  connect(): void
  disconnect(): void
  emit(event: ClientEvent, payload: { readonly chatId: string }): void
}

/** What a socket reports. */
export interface SocketReports {
  connected(): void
  /** It broke off, or could not be connected; `code` when the server said why. */
  lost(code: string | null): void
  told(event: ServerEvent, payload: unknown): void
}

export interface LiveDeps {
  /** Loads the socket's code, so it may reject for want of a network. */
  readonly openSocket: (reports: SocketReports) => Promise<LiveSocket>
  /** Replaces an expired token; false when the sign-in is over or could not be renewed. */
  readonly refresh: () => Promise<boolean>
  readonly onBanned: () => void
  readonly onWake: OnWake
  /** In [0, 1). */
  readonly random: () => number
  readonly limits: LiveLimits
}

/** How long the connection is fought for. */
export interface LiveLimits {
  readonly backoff: Backoff
  readonly tries: number
}

/** The limits of the product. */
export const liveLimits: LiveLimits = { backoff: { minMs: 500, maxMs: 5_000 }, tries: 20 }

type Listener<E extends ServerEvent> = (payload: ServerPayload<E>) => void

/** The live connection of the signed-in person. */
export interface Live {
  readonly store: StoreApi<{ readonly state: LiveState }>
  isLive(): boolean
  /** Connects and stays connected. Answers a function that ends it. */
  start(): () => void
  /** Tries again at once, with all tries ahead. */
  reconnect(): void
  on<E extends ServerEvent>(event: E, listener: Listener<E>): () => void
  /** Hears of a chat, over every reconnection. Answers a function that leaves it. */
  join(chatId: string): () => void
  /** Has the server tell anew where a joined chat stands. */
  ask(chatId: string): void
}

/** A live connection that is off until it is started. */
export function createLive(deps: LiveDeps): Live {
  const store = createStore<{ state: LiveState }>(() => ({ state: 'off' }))
  const listeners = new Map<ServerEvent, Set<(payload: unknown) => void>>()
  const rooms = new Map<string, number>()
  const line = createLine(deps, (state) => store.setState({ state }), {
    connected: () => {
      for (const chatId of rooms.keys()) line.emit('join', chatId)
    },
    told: (event, payload) => {
      for (const listener of [...(listeners.get(event) ?? [])]) listener(payload)
    },
  })
  return {
    store,
    isLive: () => store.getState().state === 'live',
    start: line.start,
    reconnect: line.reconnect,
    on: (event, listener) => {
      const heard = listeners.get(event) ?? new Set()
      listeners.set(event, heard)
      // What arrives under this name has this event's shape; both are of one version.
      const own = (payload: unknown) => listener(payload as ServerPayload<typeof event>)
      heard.add(own)
      return () => void heard.delete(own)
    },
    join: (chatId) => {
      const members = rooms.get(chatId) ?? 0
      rooms.set(chatId, members + 1)
      if (members === 0) line.emit('join', chatId)
      return () => {
        const left = (rooms.get(chatId) ?? 1) - 1
        if (left > 0) rooms.set(chatId, left)
        else if (rooms.delete(chatId)) line.emit('leave', chatId)
      }
    },
    ask: (chatId) => line.emit('join', chatId),
  }
}

/** Codes of refusals that a new token mends. */
const tokenCodes = new Set(['token_expired', 'unauthenticated'])

/** Keeps one socket connected: waits longer after each failure, and tries at once when the network or the tab comes back. */
function createLine(
  deps: LiveDeps,
  show: (state: LiveState) => void,
  heard: Pick<SocketReports, 'connected' | 'told'>,
) {
  let state: LiveState = 'off'
  let socket: Promise<LiveSocket> | null = null
  let open: LiveSocket | null = null
  let failures = 0
  let refreshed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const enter = (next: LiveState) => {
    state = next
    show(next)
  }
  const reports: SocketReports = {
    connected: () => {
      if (state === 'off') return
      failures = 0
      refreshed = false
      enter('live')
      heard.connected()
    },
    told: (event, payload) => {
      if (state === 'live') heard.told(event, payload)
    },
    lost: (code) => {
      if (state === 'off') return
      if (code === 'account_banned') return deps.onBanned()
      if (code === null || !tokenCodes.has(code) || refreshed) return retryLater()
      refreshed = true
      void deps.refresh().then(
        (renewed) => (renewed ? connect() : retryLater()),
        () => retryLater(),
      )
    },
  }

  function connect() {
    clearTimeout(timer)
    if (state === 'off') return
    socket ??= deps.openSocket(reports)
    socket.then(
      (ready) => {
        open = ready
        if (state !== 'off') ready.connect()
      },
      () => {
        // Without its code there is no socket; the next try loads it again.
        socket = null
        retryLater()
      },
    )
  }

  function retryLater() {
    if (state === 'off' || state === 'failed') return
    failures += 1
    clearTimeout(timer)
    if (failures > deps.limits.tries) return enter('failed')
    enter('away')
    timer = setTimeout(connect, backoffDelay(deps.limits.backoff, failures, deps.random()))
  }

  function reconnect() {
    if (state === 'off') return
    failures = 0
    refreshed = false
    // A connection may be dead without having been closed.
    open?.disconnect()
    if (state !== 'connecting') enter('away')
    connect()
  }

  return {
    reconnect,
    emit: (event: ClientEvent, chatId: string) => {
      if (state === 'live') open?.emit(event, { chatId })
    },
    start: () => {
      enter('connecting')
      connect()
      const stopListening = deps.onWake((cause) => {
        if (state !== 'live' || cause === 'network') reconnect()
      })
      return () => {
        stopListening()
        clearTimeout(timer)
        enter('off')
        open?.disconnect()
      }
    },
  }
}
