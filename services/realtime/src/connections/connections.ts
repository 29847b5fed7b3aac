import type { ServerEvent, ServerPayload } from '@parley/contracts'
import { type Principals, reviewUsers, type SessionStatus } from '@parley/kit/access-token'
import type { Connection } from '../sockets/connection.ts'

/** The signed-in connections of this replica. */
export type Connections = ReturnType<typeof createConnections>

/** An in-memory registry of the open connections. */
export function createConnections(principals: Principals) {
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
  return {
    add(connection: Connection): void {
      const some = byUser.get(connection.userId) ?? new Map()
      byUser.set(connection.userId, some.set(connection, { isAdmin: connection.isAdmin }))
    },
    remove(connection: Connection): void {
      const some = byUser.get(connection.userId)
      some?.delete(connection)
      if (some?.size === 0) byUser.delete(connection.userId)
    },
    /** Sends an event to every connection of a user. */
    emit<E extends ServerEvent>(userId: string, event: E, payload: ServerPayload<E>): void {
      for (const connection of of(userId)) connection.emit(event, payload)
    },
    emitAll<E extends ServerEvent>(event: E, payload: ServerPayload<E>): void {
      for (const connection of all()) connection.emit(event, payload)
    },
    emitToAdmins<E extends ServerEvent>(event: E, payload: ServerPayload<E>): void {
      for (const some of byUser.values()) {
        for (const [connection, { isAdmin }] of some) if (isAdmin) connection.emit(event, payload)
      }
    },
    /** Rereads a user's rights, sends the difference and closes connections that lost theirs, also if the rights cannot be read. */
    async review(userId: string): Promise<void> {
      for (const connection of await decide(userId)) connection.end('unavailable')
    },
    /** `review` for every user, after possibly missed signals: while auth is unavailable, connections stay open for up to 30 s. */
    reviewAll: (): Promise<void> => reviewUsers(byUser.keys(), decide, (connection) => connection.end('unavailable')),
    all,
    /** Those of these users who have a connection. */
    connected: (userIds: readonly string[]): string[] => userIds.filter((userId) => byUser.has(userId)),
  }
}
