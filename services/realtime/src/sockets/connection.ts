import type { GoodbyeCode, ServerEvent, ServerPayload } from '@parley/contracts'
import type { Socket } from 'socket.io'
import { terminate } from './unauthenticated.ts'

/**
 * Packets in flight to a slow reader, and their characters, since one packet may be a whole answer: the limits before it is dropped, and before
 * deferrable events are held back.
 */
const most = { packets: 1_000, characters: 4 * 1024 * 1024 }
const roomy = { packets: 100, characters: 512 * 1024 }
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
  /** Sends an event; the connection is dropped without `goodbye` when too much is in flight. */
  emit<E extends ServerEvent>(event: E, payload: ServerPayload<E>): void
  /** Whether deferrable events may be sent now. */
  hasRoom(): boolean
  /** Calls back once, when the buffer may have room again. */
  onRoom(act: () => void): void
  /** Sends `goodbye` with the code, then closes. Idempotent. */
  end(code: GoodbyeCode): void
  readonly isOpen: () => boolean
}

/** A packet of the transport; nothing binary is sent. */
interface Packet {
  readonly data?: string
}
const lengthOf = ({ data = '' }: Packet): number => data.length

/** @param ended called with the code of the first `end` */
export function createConnection(socket: Socket, who: SignedIn, ended: (code: string) => void): Connection {
  const { conn } = socket
  const waiting = { packets: 0, characters: 0 }
  let isEnded = false
  conn.on('packetCreate', (packet: Packet) => {
    waiting.packets += 1
    waiting.characters += lengthOf(packet)
  })
  conn.on('flush', (packets: readonly Packet[]) => {
    waiting.packets -= packets.length
    for (const packet of packets) waiting.characters -= lengthOf(packet)
  })
  const isBeyond = ({ packets, characters }: typeof waiting): boolean =>
    waiting.packets > packets || waiting.characters > characters
  const drop = (): void => {
    isEnded = true
    ended('slow')
    terminate(conn)
  }
  return {
    ...who,
    emit(event, payload) {
      if (isEnded) return
      if (isBeyond(most)) drop()
      else socket.emit(event, payload)
    },
    hasRoom: () => !isBeyond(roomy),
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
