import type { GoodbyeCode, ServerEvent, ServerPayload } from '@parley/contracts'
import type { Socket } from 'socket.io'
import { terminate } from './unauthenticated.ts'

/** Packets in flight to a slow reader: its limit before it is dropped, and before deferrable events are held back. */
const mostWaiting = 1_000
const roomy = 100
/** Milliseconds that `goodbye` has to arrive. */
const goodbyeMs = 2_000

/** The user and session of a connection. */
export interface SignedIn {
  readonly userId: string
  readonly sessionId: string
  readonly isAdmin: boolean
  /** When the token stops being accepted. */
  readonly refusedFrom: Date
}

/** One signed-in client. */
export interface Connection extends SignedIn {
  /** Sends an event; the connection is dropped without `goodbye` when too many packets are in flight. */
  emit<E extends ServerEvent>(event: E, payload: ServerPayload<E>): void
  /** Whether deferrable events may be sent now. */
  hasRoom(): boolean
  /** Calls back once, when the buffer may have room again. */
  onRoom(act: () => void): void
  /** Sends `goodbye` with the code, then closes. Idempotent. */
  end(code: GoodbyeCode): void
  readonly isOpen: () => boolean
}

/** @param ended called with the code of the first `end` */
export function createConnection(socket: Socket, who: SignedIn, ended: (code: string) => void): Connection {
  const { conn } = socket
  let waiting = 0
  let isEnded = false
  conn.on('packetCreate', () => {
    waiting += 1
  })
  conn.on('flush', (packets: readonly unknown[]) => {
    waiting -= packets.length
  })
  const drop = (): void => {
    isEnded = true
    ended('slow')
    terminate(conn)
  }
  return {
    ...who,
    emit(event, payload) {
      if (isEnded) return
      if (waiting > mostWaiting) drop()
      else socket.emit(event, payload)
    },
    hasRoom: () => waiting < roomy,
    onRoom: (act) => void conn.once('drain', act),
    end(code) {
      if (isEnded) return
      isEnded = true
      ended(code)
      socket.emit('goodbye', { code } satisfies ServerPayload<'goodbye'>)
      socket.disconnect(true)
      setTimeout(() => terminate(conn), goodbyeMs).unref()
    },
    isOpen: () => !isEnded && socket.connected,
  }
}
