import type { ServerEvent, ServerPayload } from '@parley/contracts'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { createConnection, type LiveDeps, type LiveState } from './connection.ts'

type Listener<E extends ServerEvent> = (payload: ServerPayload<E>) => void

export interface Live {
  readonly store: StoreApi<{ readonly state: LiveState }>
  isLive(): boolean
  /** Connects and stays connected. Returns a function that disconnects. */
  start(): () => void
  /** Reconnects immediately, with a fresh set of attempts. */
  reconnect(): void
  on<E extends ServerEvent>(event: E, listener: Listener<E>): () => void
  /** Subscribes to a chat across reconnects. Returns a function that leaves it. */
  join(chatId: string): () => void
  /**
   * Holds back the events of a chat's running answers, for a tab that reads the one that it asked for as a stream. Returns a function that ends that
   * and requests a snapshot.
   */
  mute(chatId: string): () => void
  /** Requests a snapshot of a joined chat. */
  requestState(chatId: string): void
}

/** A live connection, off until it is started. */
export function createLive(deps: LiveDeps): Live {
  const store = createStore<{ state: LiveState }>(() => ({ state: 'off' }))
  const listeners = new Map<ServerEvent, Set<(payload: unknown) => void>>()
  const rooms = new Map<string, number>()
  const muted = new Map<string, number>()
  const connection = createConnection(deps, store, {
    connected: () => {
      for (const chatId of rooms.keys()) join(chatId)
    },
    received: (event, payload) => {
      for (const listener of [...(listeners.get(event) ?? [])]) listener(payload)
    },
  })
  const join = (chatId: string) => connection.emit('join', { chatId, ...(muted.has(chatId) && { muted: true }) })
  return {
    store,
    isLive: () => store.getState().state === 'live',
    start: connection.start,
    reconnect: connection.reconnect,
    on: (event, listener) => {
      const ofEvent = listeners.get(event) ?? new Set()
      listeners.set(event, ofEvent)
      // Safe: the event's name determines its payload, and server and client have the same version.
      const own = (payload: unknown) => listener(payload as ServerPayload<typeof event>)
      ofEvent.add(own)
      return () => void ofEvent.delete(own)
    },
    join: (chatId) => {
      const members = rooms.get(chatId) ?? 0
      rooms.set(chatId, members + 1)
      if (members === 0) join(chatId)
      return () => {
        const left = (rooms.get(chatId) ?? 1) - 1
        if (left > 0) rooms.set(chatId, left)
        else if (rooms.delete(chatId)) connection.emit('leave', { chatId })
      }
    },
    mute: (chatId) => {
      muted.set(chatId, (muted.get(chatId) ?? 0) + 1)
      if (rooms.has(chatId)) connection.emit('mute', { chatId })
      return () => {
        const left = (muted.get(chatId) ?? 1) - 1
        if (left > 0) muted.set(chatId, left)
        else if (muted.delete(chatId) && rooms.has(chatId)) join(chatId)
      }
    },
    requestState: join,
  }
}
