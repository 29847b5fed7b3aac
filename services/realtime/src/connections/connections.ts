import { setTimeout as delay } from 'node:timers/promises'
import type { ServerEvent, ServerPayload } from '@parley/contracts'
import type { Principals, SessionStatus } from '@parley/kit/access-token'
import type { Connection } from '../sockets/connection.ts'

/** Milliseconds for which rights may stay unknown, and between two attempts to read them. */
const unknownMs = 30_000
const retryMs = 1_000
/** Concurrent users in requests to auth. */
const usersAtOnce = 50

/** The signed-in connections of this replica. */
export interface Connections {
  add(connection: Connection): void
  remove(connection: Connection): void
  /** Sends an event to every connection of a user. */
  emit<E extends ServerEvent>(userId: string, event: E, payload: ServerPayload<E>): void
  emitAll<E extends ServerEvent>(event: E, payload: ServerPayload<E>): void
  emitToAdmins<E extends ServerEvent>(event: E, payload: ServerPayload<E>): void
  /** Rereads a user's rights, sends the difference and closes connections that lost theirs, also if the rights cannot be read. */
  review(userId: string): Promise<void>
  /** `review` for every user, after possibly missed signals: while auth is unavailable, connections stay open for up to 30 s. */
  reviewAll(): Promise<void>
  all(): Connection[]
  /** Those of these users who have a connection. */
  connected(userIds: readonly string[]): string[]
}

/** An in-memory registry of the open connections. */
export function createConnections(principals: Principals): Connections {
  const byUser = new Map<string, Map<Connection, { isAdmin: boolean }>>()
  const of = (userId: string): Connection[] => [...(byUser.get(userId)?.keys() ?? [])]
  const all = (): Connection[] => [...byUser.values()].flatMap((some) => [...some.keys()])
  const judge = (connection: Connection, { active, rights }: SessionStatus): void => {
    const known = byUser.get(connection.userId)?.get(connection)
    if (known === undefined) return
    if (!active) connection.end('unauthenticated')
    else if (rights.isBanned) {
      connection.emit('user:update', { isBanned: true })
      connection.end('account_banned')
    } else if (rights.isAdmin !== known.isAdmin) {
      known.isAdmin = rights.isAdmin
      connection.emit('user:update', { isAdmin: rights.isAdmin })
    }
  }
  /** Resolves to the connections whose session status is unknown. */
  const decide = async (userId: string): Promise<Connection[]> => {
    const unknown: Connection[] = []
    const decideOne = async (connection: Connection): Promise<void> => {
      const status = await principals.sessionStatus(connection).catch(() => undefined)
      if (status === undefined) unknown.push(connection)
      else judge(connection, status)
    }
    await Promise.all(of(userId).map(decideOne))
    return unknown
  }
  const decideAll = async (): Promise<Connection[]> => {
    const users = [...byUser.keys()]
    const unknown: Connection[] = []
    for (let from = 0; from < users.length; from += usersAtOnce) {
      unknown.push(...(await Promise.all(users.slice(from, from + usersAtOnce).map(decide))).flat())
    }
    return unknown
  }
  return {
    add(connection) {
      const some = byUser.get(connection.userId) ?? new Map()
      byUser.set(connection.userId, some.set(connection, { isAdmin: connection.isAdmin }))
    },
    remove(connection) {
      const some = byUser.get(connection.userId)
      some?.delete(connection)
      if (some?.size === 0) byUser.delete(connection.userId)
    },
    emit(userId, event, payload) {
      for (const connection of of(userId)) connection.emit(event, payload)
    },
    emitAll(event, payload) {
      for (const connection of all()) connection.emit(event, payload)
    },
    emitToAdmins(event, payload) {
      for (const some of byUser.values()) {
        for (const [connection, { isAdmin }] of some) if (isAdmin) connection.emit(event, payload)
      }
    },
    async review(userId) {
      for (const connection of await decide(userId)) connection.end('unavailable')
    },
    async reviewAll() {
      const deadline = performance.now() + unknownMs
      for (;;) {
        const unknown = await decideAll()
        if (unknown.length === 0) return
        if (performance.now() > deadline) {
          for (const connection of unknown) connection.end('unavailable')
          return
        }
        await delay(retryMs, undefined, { ref: false })
      }
    },
    all,
    connected: (userIds) => userIds.filter((userId) => byUser.has(userId)),
  }
}
