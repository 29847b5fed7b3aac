import type { z } from 'zod'

/** Every service of the product. */
export const serviceNames = [
  'gateway',
  'auth',
  'chat',
  'llm-router',
  'billing',
  'notifier',
  'realtime',
  'memory',
  'share',
] as const
export type ServiceName = (typeof serviceNames)[number]

/**
 * Who may call a route.
 * public: anybody, a wrong token is ignored · guest: a guest or a signed-in user · user: a signed-in user ·
 * admin: a user with admin rights · key: an API key of a user, and nobody else · service: another service only, never reachable through the gateway.
 */
export type Access = 'public' | 'guest' | 'user' | 'admin' | 'key' | 'service'

/** Methods that routes may have. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type Schema = z.ZodType
/** One call of the wire contract. The gateway's route table, validation, OpenAPI and the bad-input tests all come from these. */
export interface Route<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Answer extends Schema = Schema,
> {
  readonly method: Method
  /** Path in Express form. Public routes are relative to `/api`; those of access `service` are absolute and start with `/internal/`. */
  readonly path: `/${string}`
  readonly service: ServiceName
  readonly access: Access
  readonly summary: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** A call without a body is one with `{}`. */
  readonly bodyOptional?: true
  /** Absent when the answer has no body (204) or is no JSON. */
  readonly answer?: Answer
  /** Status of success; 200 by default. */
  readonly status?: number
  /** The answer is an event stream, lines or bytes, or takes long to come: relayed unbuffered, no deadline on the whole. */
  readonly stream?: boolean
  /** What a guest is told instead of the usual wish to sign in. */
  readonly guestRefusal?: string
  /** A banned user may still call it. */
  readonly bannedAllowed?: boolean
  /** May be read by an admin who views the product as this user: it changes nothing and shows nothing that somebody wrote. */
  readonly viewable?: boolean
  /** Counts against the web rate limit of the settings; `reading` apart from it, against 20 times as many requests of the same window. */
  readonly limited?: true | 'reading'
  /** Largest body accepted, in bytes; 64 KiB by default. */
  readonly bodyLimit?: number
  /** Most levels of objects and lists in a JSON body; 100 by default. */
  readonly bodyDepth?: number
  /** Most values in a JSON body, counting lists, objects and what is in them; 10,000 by default. */
  readonly bodyValues?: number
  /** What the sender of a body over the limit is told. */
  readonly tooLarge?: string
}

/** Bytes of a body, for routes that set no limit of their own. */
export const defaultBodyLimit = 64 * 1024
/** Levels of a JSON body, for routes that set no bound of their own. */
export const defaultBodyDepth = 100
/** Values of a JSON body, for routes that set no bound of their own. */
export const defaultBodyValues = 10_000

/** Declares a route and keeps the exact types of its schemas. */
export function defineRoute<
  Params extends Schema = z.ZodUndefined,
  Query extends Schema = z.ZodUndefined,
  Body extends Schema = z.ZodUndefined,
  Answer extends Schema = z.ZodUndefined,
>(route: Route<Params, Query, Body, Answer>): Route<Params, Query, Body, Answer> {
  return route
}
