import type { ClientEvent, ClientPayload, ServerEvent, ServerPayload } from '@parley/contracts'
import type { Socket } from 'socket.io-client'
import type { StoreApi } from 'zustand/vanilla'
import { type Backoff, backoffDelay } from './backoff.ts'
import type { OnWake } from './wake.ts'

/** State of the socket: not wanted, connecting for the first time, connected, reconnecting, or given up until something changes. */
export type LiveState = 'off' | 'connecting' | 'live' | 'away' | 'failed'

export interface LiveDeps {
  /** Loads the socket's code, so it may reject when offline. The socket connects on request, and reconnects by itself after a broken connection. */
  readonly openSocket: () => Promise<Socket>
  /** Replaces an expired token; resolves to false when the session has ended or the refresh failed. */
  readonly refresh: () => Promise<boolean>
  readonly onBanned: () => void
  readonly onWake: OnWake
  /** In [0, 1). */
  readonly random: () => number
  readonly limits: LiveLimits
}

/** The number of reconnect attempts, and the delay between them. */
export interface LiveLimits {
  readonly backoff: Backoff
  readonly tries: number
}

export const liveLimits: LiveLimits = { backoff: { minMs: 500, maxMs: 5_000 }, tries: 20 }

/** Refusal codes for which a new token helps. */
const tokenCodes = new Set(['token_expired', 'unauthenticated'])

interface ConnectionListener {
  connected(): void
  received(event: ServerEvent, payload: unknown): void
}

/** Keeps one socket connected: socket.io handles broken connections, this handles refusals and reconnects when network or tab return. */
export function createConnection(
  deps: LiveDeps,
  store: StoreApi<{ readonly state: LiveState }>,
  listener: ConnectionListener,
) {
  let loading: Promise<Socket> | null = null
  let socket: Socket | null = null
  let refusals = 0
  let refreshed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const isIn = (...states: LiveState[]) => states.includes(store.getState().state)
  const enter = (state: LiveState) => store.setState({ state })

  async function load(): Promise<Socket> {
    const loaded = await deps.openSocket()
    let closeCode: string | null = null
    loaded.on('goodbye', ({ code }: ServerPayload<'goodbye'>) => {
      closeCode = code
    })
    loaded.on('connect', () => {
      if (isIn('off')) return
      closeCode = null
      refusals = 0
      refreshed = false
      enter('live')
      listener.connected()
    })
    loaded.on('connect_error', (error) => lost(loaded, codeOf(error)))
    loaded.on('disconnect', (reason) => {
      if (reason !== 'io client disconnect') lost(loaded, closeCode)
    })
    loaded.io.on('reconnect_failed', () => enter('failed'))
    loaded.onAny((event: ServerEvent, payload: unknown) => {
      if (isIn('live')) listener.received(event, payload)
    })
    return loaded
  }

  function lost({ active }: Socket, code: string | null) {
    if (isIn('off')) return
    if (code === 'account_banned') return deps.onBanned()
    if (code !== null && tokenCodes.has(code) && !refreshed) {
      refreshed = true
      void deps.refresh().then(
        (renewed) => (renewed ? connect() : retryLater()),
        () => retryLater(),
      )
    } else if (active) enter('away')
    else retryLater()
  }

  function connect() {
    clearTimeout(timer)
    if (isIn('off')) return
    loading ??= load()
    loading.then(
      (loaded) => {
        socket = loaded
        if (!isIn('off')) loaded.connect()
      },
      () => {
        // Without its code there is no socket; the next attempt loads it again.
        loading = null
        retryLater()
      },
    )
  }

  function retryLater() {
    if (isIn('off', 'failed')) return
    refusals += 1
    clearTimeout(timer)
    if (refusals > deps.limits.tries) return enter('failed')
    enter('away')
    timer = setTimeout(connect, backoffDelay(deps.limits.backoff, refusals, deps.random()))
  }

  function reconnect() {
    if (isIn('off')) return
    refusals = 0
    refreshed = false
    // The connection may be dead without a close event.
    socket?.disconnect()
    if (!isIn('connecting')) enter('away')
    connect()
  }

  return {
    reconnect,
    emit: <E extends ClientEvent>(event: E, payload: ClientPayload<E>) => {
      if (isIn('live')) socket?.emit(event, payload)
    },
    start: () => {
      enter('connecting')
      connect()
      const unsubscribe = deps.onWake((cause) => {
        if (!isIn('live') || cause === 'network') reconnect()
      })
      return () => {
        unsubscribe()
        clearTimeout(timer)
        enter('off')
        socket?.disconnect()
      }
    },
  }
}

/** The server's refusal code; null when it was unreachable. */
function codeOf({ data }: Error & { readonly data?: unknown }): string | null {
  const code = typeof data === 'object' && data !== null ? (data as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : null
}
