import { setTimeout as delay } from 'node:timers/promises'
import type { ServerEvent, ServerPayload } from '@parley/contracts'
import type { Principals, Standing } from '@parley/kit/access-token'
import type { Connection } from '../sockets/connection.ts'

/** Milliseconds for which rights may be unknown, and between two questions. */
const unknownMs = 30_000
const retryMs = 1_000
/** Users that auth is asked about at once. */
const usersAtOnce = 50

/** Who is connected to this replica. */
export interface People {
  add(connection: Connection): void
  remove(connection: Connection): void
  /** Tells every connection of a user. */
  tell<E extends ServerEvent>(userId: string, event: E, payload: ServerPayload<E>): void
  tellAll<E extends ServerEvent>(event: E, payload: ServerPayload<E>): void
  /** Asks anew what a user may do, tells what changed and ends what may not go on. What cannot be found out is a no. */
  review(userId: string): Promise<void>
  /** The same of everybody, of whom no change is known: while auth cannot be asked they go on for the 30 s that rights may be unknown. */
  reviewAll(): Promise<void>
  all(): Connection[]
}

/** Keeps nothing but the open connections themselves. */
export function createPeople(principals: Principals): People {
  const byUser = new Map<string, Map<Connection, { isAdmin: boolean }>>()
  const of = (userId: string): Connection[] => [...(byUser.get(userId)?.keys() ?? [])]
  const all = (): Connection[] => [...byUser.values()].flatMap((some) => [...some.keys()])
  const judge = (connection: Connection, { active, rights }: Standing): void => {
    const told = byUser.get(connection.userId)?.get(connection)
    if (told === undefined) return
    if (!active) connection.end('unauthenticated')
    else if (rights.isBanned) {
      connection.tell('user:update', { isBanned: true })
      connection.end('account_banned')
    } else if (rights.isAdmin !== told.isAdmin) {
      told.isAdmin = rights.isAdmin
      connection.tell('user:update', { isAdmin: rights.isAdmin })
    }
  }
  /** Resolves to those of whom it could not be found out. */
  const decide = async (userId: string): Promise<Connection[]> => {
    const unknown: Connection[] = []
    const decideOne = async (connection: Connection): Promise<void> => {
      const standing = await principals.standing(connection).catch(() => undefined)
      if (standing === undefined) unknown.push(connection)
      else judge(connection, standing)
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
    tell(userId, event, payload) {
      for (const connection of of(userId)) connection.tell(event, payload)
    },
    tellAll(event, payload) {
      for (const connection of all()) connection.tell(event, payload)
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
  }
}
