import type { z } from 'zod'
import { idParamsSchema } from './primitives.ts'

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
 * public: anyone, an invalid token is ignored · guest: a guest or a signed-in user · user: a signed-in user ·
 * admin: a user with admin rights · key: only an API key of a user · service: only another service, never reachable through the gateway.
 */
export type Access = 'public' | 'guest' | 'user' | 'admin' | 'key' | 'service'

/** HTTP methods of routes. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type Schema = z.ZodType
/** What a route expects and answers. */
export interface RouteDetails<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Answer extends Schema = Schema,
> {
  readonly summary: string
  /** By default those of a path with `:id`: an opaque id. */
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** A missing body means `{}`. */
  readonly bodyOptional?: true
  /** Request headers that it reads, for its documentation. */
  readonly headers?: z.ZodObject
  /** The body consists of the bytes of a file. */
  readonly takesBytes?: true
  /** Omitted if the answer has no body (204) or is not JSON. */
  readonly answer?: Answer
  /** Media types of an answer that is not, or not always, JSON; by default the one of an event stream for a `stream` without `answer`. */
  readonly types?: readonly string[]
  /** Success status; 200 by default. */
  readonly status?: number
  /** The same answer also comes with status 200, if the thing was there already. */
  readonly mayExist?: true
  /** The answer is an event stream, lines or bytes, or slow: it is relayed unbuffered and without an overall deadline. */
  readonly stream?: boolean
  /** The refusal for guests instead of the usual request to sign in. */
  readonly guestRefusal?: string
  /** Banned users may call it. */
  readonly bannedAllowed?: boolean
  /** Allowed for an admin who views the product as this user: it is read-only and returns no texts of users. */
  readonly viewable?: boolean
  /**
   * Counts towards the web rate limit of the settings; `reading` has a window of its own with 20 times the limit, and `account`, which
   * signs in or proves who somebody is, one that the settings can only raise.
   */
  readonly limited?: true | 'reading' | 'account'
  /** Largest body accepted, in bytes; 64 KiB by default. */
  readonly bodyLimit?: number
  /** Maximum nesting of a JSON body; 100 by default. */
  readonly bodyDepth?: number
  /** Maximum number of values in a JSON body, including objects, arrays and their contents; 10,000 by default. */
  readonly bodyValues?: number
  /** The error message for a body over the limit. */
  readonly tooLarge?: string
}

/** A route of the wire contract. The gateway's route table, validation, OpenAPI and the malformed-input tests are generated from these. */
export interface Route<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Answer extends Schema = Schema,
> extends RouteDetails<Params, Query, Body, Answer> {
  readonly method: Method
  /** Path in Express syntax. Public routes are relative to `/api`; routes of access `service` are absolute and start with `/internal/`. */
  readonly path: `/${string}`
  readonly service: ServiceName
  readonly access: Access
}

/** Default limit of a body, in bytes. */
export const defaultBodyLimit = 64 * 1024
/** Default maximum nesting of a JSON body. */
export const defaultBodyDepth = 100
/** Default maximum number of values in a JSON body. */
export const defaultBodyValues = 10_000

/** The path parameters of a route that declares none. */
type DefaultParams<Path extends string> = {
  readonly id: typeof idParamsSchema
  readonly none: z.ZodUndefined
}[Path extends `${string}/:id` | `${string}/:id/${string}` ? 'id' : 'none']

/** Declares routes of a service with one access, which keep the exact types of their schemas: `user.get('/user', { summary: … })`. */
export function routesFor(service: ServiceName, access: Access, shared: Pick<RouteDetails, 'guestRefusal'> = {}) {
  const define =
    (method: Method) =>
    <
      const Path extends Route['path'],
      Params extends Schema = DefaultParams<Path>,
      Query extends Schema = z.ZodUndefined,
      Body extends Schema = z.ZodUndefined,
      Answer extends Schema = z.ZodUndefined,
    >(
      path: Path,
      details: RouteDetails<Params, Query, Body, Answer>,
    ) => {
      const params = /\/:id(\/|$)/.test(path) ? { params: idParamsSchema } : {}
      return { method, path, service, access, ...shared, ...params, ...details } as Route<Params, Query, Body, Answer>
    }
  return {
    get: define('GET'),
    post: define('POST'),
    put: define('PUT'),
    patch: define('PATCH'),
    delete: define('DELETE'),
  }
}
