import type { SignalPayload } from '@parley/contracts'
import { AppError } from '@parley/kit'
import type { Connection } from '../sockets/connection.ts'
import { createTokenBuckets, type Rate } from '../token-bucket.ts'
import { createRoom, type Room, type RoomDeps } from './room.ts'

/** Milliseconds over which resending the state of all rooms is spread. */
const renewMs = 500

/** The chats joined on this replica. A room belongs to one user, so that a chat's events reach its owner's connections only. */
export type Rooms = ReturnType<typeof createRooms>

/** A room is created by its first member and removed with its last. @param deps those of a room, and the limits of chats and of a user's joins */
export function createRooms(deps: RoomDeps & { readonly chatsPerConnection: number; readonly joins: Rate }) {
  const rooms = new Map<string, Room>()
  const joined = new Map<Connection, Set<string>>()
  const mayJoin = createTokenBuckets(deps.joins, () => performance.now())
  const keyOf = (userId: string, chatId: string): string => `${userId}:${chatId}`
  const roomOf = (userId: string, chatId: string): Room => {
    const key = keyOf(userId, chatId)
    const listener = {
      emptied: () => forget(key, room),
      removed: (connection: Connection) => leave(connection, chatId),
    }
    const room: Room = rooms.get(key) ?? createRoom(deps, { userId, chatId }, listener)
    rooms.set(key, room)
    return room
  }
  const forget = (key: string, room: Room): void => {
    if (rooms.get(key) === room) rooms.delete(key)
  }
  const leave = (connection: Connection, chatId: string): void => {
    const chats = joined.get(connection)
    chats?.delete(chatId)
    if (chats?.size === 0) joined.delete(connection)
    rooms.get(keyOf(connection.userId, chatId))?.leave(connection)
  }
  return {
    /** @throws AppError not_found, also for another user's chat, rate_limited beyond the limit of chats or of joins, or unavailable */
    async join(connection: Connection, chatId: string, muted?: boolean): Promise<void> {
      const chats = joined.get(connection) ?? new Set()
      if (!chats.has(chatId) && chats.size >= deps.chatsPerConnection) {
        throw new AppError('rate_limited', 'Too many chats are open on this connection.')
      }
      joined.set(connection, chats.add(chatId))
      try {
        if (!mayJoin(connection.userId)) {
          throw new AppError('rate_limited', 'Too many attempts. Please try again later.')
        }
        await roomOf(connection.userId, chatId).join(connection, muted)
      } catch (error) {
        leave(connection, chatId)
        throw error
      }
    },
    mute: (connection: Connection, chatId: string): void =>
      rooms.get(keyOf(connection.userId, chatId))?.mute(connection),
    leave,
    leaveAll(connection: Connection): void {
      for (const chatId of joined.get(connection) ?? []) leave(connection, chatId)
    },
    changed({ userId, chatId, kind, messageId, generationId }: SignalPayload<'chat-changed'>): void {
      const room = rooms.get(keyOf(userId, chatId))
      if (room === undefined) return
      if (kind === 'deleted') {
        for (const [connection, chats] of joined)
          if (connection.userId === userId && chats.has(chatId)) leave(connection, chatId)
      }
      if (kind === 'message' && messageId !== undefined) room.changed(messageId)
      if (kind === 'generation' && messageId !== undefined) room.began(messageId, generationId)
    },
    /** Resends the state of every room, because hints may have been missed. */
    renewAll(): void {
      // Spread out, since each room reads from chat.
      for (const room of rooms.values()) setTimeout(() => room.renew(), Math.random() * renewMs).unref()
    },
    size: (): number => rooms.size,
  }
}
