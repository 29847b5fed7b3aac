import type { Farewell, ServerEvent, ServerPayload } from '@parley/contracts'
import type { Socket } from 'socket.io'
import { cutOff } from './unsigned.ts'

/** Packets that may wait for a slow reader before it is dropped, and before what can be told later is held back. */
const mostWaiting = 1_000
const roomy = 100
/** Milliseconds for the last words to arrive. */
const farewellMs = 2_000

/** Who has signed in on a connection. */
export interface SignedIn {
  readonly userId: string
  readonly sessionId: string
  readonly isAdmin: boolean
  /** The token is refused from then on. */
  readonly refusedFrom: Date
}

/** One client that is signed in. */
export interface Connection extends SignedIn {
  /** Dropped without a word when too much of what it was told is still on its way. */
  tell<E extends ServerEvent>(event: E, payload: ServerPayload<E>): void
  /** Whether what can wait may be told now. */
  hasRoom(): boolean
  /** Calls back once, when there may be room again. */
  whenRoom(act: () => void): void
  /** Says why, then closes. Idempotent. */
  end(code: Farewell): void
  readonly isOpen: () => boolean
}

/** @param ended told of the first `end` */
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
    cutOff(conn)
  }
  return {
    ...who,
    tell(event, payload) {
      if (isEnded) return
      if (waiting > mostWaiting) drop()
      else socket.emit(event, payload)
    },
    hasRoom: () => waiting < roomy,
    whenRoom: (act) => void conn.once('drain', act),
    end(code) {
      if (isEnded) return
      isEnded = true
      ended(code)
      socket.emit('goodbye', { code } satisfies ServerPayload<'goodbye'>)
      socket.disconnect(true)
      setTimeout(() => cutOff(conn), farewellMs).unref()
    },
    isOpen: () => !isEnded && socket.connected,
  }
}
