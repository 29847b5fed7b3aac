import type { ServerEvent, ServerPayload } from '@parley/contracts'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { refreshToken } from '../api/index.ts'
import { afterFirstScreen } from '../lazy/index.ts'
import { getSession, markBanned } from '../session/index.ts'
import { type LiveState, liveLimits } from './connection.ts'
import { createLive, type Live } from './live.ts'
import { openSocket } from './open-socket.ts'
import { onBrowserWake } from './wake.ts'

const LiveContext = createContext<Live | null>(null)

const openLive = (): Live =>
  createLive({
    openSocket,
    refresh: async () => {
      const { token, user } = getSession()
      return token !== null && refreshToken(token, user?._id)
    },
    onBanned: markBanned,
    onWake: onBrowserWake,
    random: Math.random,
    limits: liveLimits,
  })

/** Provides the signed-in user's live connection; `wanted` is false for guests, who have none. Its code loads after the first screen. */
export function LiveProvider({ wanted, children }: { wanted: boolean; children: ReactNode }) {
  const [live] = useState(openLive)
  useEffect(() => {
    if (!wanted) return
    let stop: (() => void) | null = null
    const callOff = afterFirstScreen(() => {
      stop = live.start()
    })
    return () => {
      callOff()
      stop?.()
    }
  }, [live, wanted])
  return <LiveContext value={live}>{children}</LiveContext>
}

/** The live connection. Throws outside of a LiveProvider. */
export function useLive(): Live {
  const live = useContext(LiveContext)
  if (!live) throw new Error('There is no live connection here')
  return live
}

/** State of the socket. */
export const useLiveState = (): LiveState => useStore(useLive().store, ({ state }) => state)

/** Subscribes to a server event while the component is mounted. */
export function useServerEvent<E extends ServerEvent>(event: E, listener: (payload: ServerPayload<E>) => void): void {
  const live = useLive()
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => live.on(event, (payload) => latest.current(payload)), [live, event])
}
