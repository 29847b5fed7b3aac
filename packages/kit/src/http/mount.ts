import { createHash } from 'node:crypto'
import { type ErrorBody, isApiPath, type Locale, type Principal, type Route } from '@parley/contracts'
import type { IRouter, Request, Response } from 'express'
import type { z } from 'zod'
import { type Csv, sendCsv } from '../admin/csv.ts'
import { AppError } from '../errors/app-error.ts'
import { authorise } from '../identity/access.ts'
import { acceptedLocale } from './accepted-locale.ts'
import { servedPath } from './paths.ts'
import { bodyLimitOf, hasBody, parseJsonBody, readBody, tooLargeBody } from './request-body.ts'
import { requestIdOf } from './request-id.ts'
import { validate } from './validate.ts'

/** What a handler is given: the validated parts of the call and who calls. */
export interface Call<R extends Route> {
  readonly principal: Principal
  readonly requestId: string
  readonly params: Output<NonNullable<R['params']>>
  readonly query: Output<NonNullable<R['query']>>
  readonly body: Output<NonNullable<R['body']>>
  /** Request headers, lower case. */
  readonly headers: Request['headers']
}
type Output<S> = S extends z.ZodType ? z.output<S> : undefined
type Input<S> = S extends z.ZodType ? z.input<S> : undefined

/** What a handler returns; one place writes it. */
export interface Reply<R extends Route> {
  readonly body?: Input<NonNullable<R['answer']>>
  /** Instead of a body, for lists that are asked for as a file. */
  readonly csv?: Csv
  /** Instead of the route's own. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | string[]>>
}

/** Mounts a route: authorise, validate, act, present. Paths of public routes are served under `/api`. */
export function mount<R extends Route>(
  router: IRouter,
  route: R,
  act: (call: Call<R>) => Promise<Reply<R>> | Reply<R>,
): void {
  mountStream(router, route, async (call, response) => {
    await present(route, await act(call), response)
  })
}

async function present<R extends Route>(route: R, reply: Reply<R>, response: Response): Promise<void> {
  response.status(reply.status ?? route.status ?? 200)
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value)
  if (reply.csv !== undefined) await sendCsv(response, reply.csv)
  else if (reply.body === undefined) response.end()
  else if (isAskedAgain(route)) sendRevalidated(response, reply.body)
  else response.json(reply.body)
}

/** What the administration asks for every half minute: mostly the same as before. */
const isAskedAgain = ({ access, method }: Route): boolean => access === 'admin' && method === 'GET'

/** Answers 304 to a caller that has this body already. Browsers may keep it, and ask before each use, with their sign-in. */
function sendRevalidated(response: Response, body: unknown): void {
  const text = JSON.stringify(body)
  response.set({ etag: etagOf(text), 'cache-control': 'private, no-cache' }).vary('authorization')
  // Express compares the tag with that of the request.
  response.type('json').send(text)
}

/** A strong ETag of a JSON body. */
export const etagOf = (body: string): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`

/**
 * Mounts a route whose body is handed over as the bytes that came, for a handler that has them parsed elsewhere. It returns what is presented, or nothing when it has
 * written the answer itself.
 */
export function mountBytes<R extends Route>(
  router: IRouter,
  route: R,
  act: (
    call: Omit<Call<R>, 'body'> & { readonly body: Uint8Array },
    response: Response,
  ) => Promise<Reply<R> | undefined> | Reply<R> | undefined,
): void {
  const takeBody = async (request: Request): Promise<void> => {
    requireJson(request)
    await takeBytes(request, route)
  }
  add(router, route, takeBody, async (request, response) => {
    const call = { ...callOf<R>(route, request, response), body: request.body as Uint8Array }
    const reply = await act(call, response)
    if (reply !== undefined) await present(route, reply, response)
  })
}

/** Mounts a route whose handler writes the answer itself; a thrown error is still presented when nothing was written. */
export function mountStream<R extends Route>(
  router: IRouter,
  route: R,
  act: (call: Call<R>, response: Response, request: Request) => Promise<void>,
): void {
  add(router, route, bodyTaker(route), async (request, response) => {
    const call = {
      ...callOf<R>(route, request, response),
      body: parsePart(route.body, request.body, 'body', localeOf(request)),
    }
    await act(call as Call<R>, response, request)
  })
}

/** Puts the body where it belongs, or refuses it. */
type TakeBody = (request: Request) => Promise<void> | void

/** One handler for each route: Express takes longer from one to the next than most of them do. */
function add(
  router: IRouter,
  route: Route,
  takeBody: TakeBody | undefined,
  handle: (request: Request, response: Response) => Promise<void>,
): void {
  const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
  router[method](servedPath(route), async (request, response) => {
    authorise(route, principalOf(response))
    await takeBody?.(request)
    await handle(request, response)
  })
}

/** The validated parts of a call but its body. */
function callOf<R extends Route>(route: R, request: Request, response: Response): Omit<Call<R>, 'body'> {
  const locale = localeOf(request)
  const call = {
    principal: principalOf(response),
    requestId: requestIdOf(response),
    params: parsePart(route.params, request.params, 'params', locale),
    query: parsePart(route.query, request.query, 'query', locale),
    headers: request.headers,
  }
  return call as Omit<Call<R>, 'body'>
}

const principalOf = (response: Response): Principal => response.locals.principal as Principal

function bodyTaker(route: Route): TakeBody | undefined {
  if (route.body === undefined) return route.method === 'GET' || route.method === 'DELETE' ? refuseBody : undefined
  return async (request) => {
    if (route.bodyOptional && !hasBody(request)) request.body = Buffer.from('{}')
    else requireJson(request)
    await takeBytes(request, route)
    request.body = parseJsonBody(request.body as Uint8Array, route)
  }
}

/** Puts the body's bytes where the body belongs, unless something before it did. */
async function takeBytes(request: Request, route: Route): Promise<void> {
  if (Buffer.isBuffer(request.body)) return
  request.body = await readBody(request, { limit: bodyLimitOf(route), tooLarge: () => tooLargeBody(route) })
}

function requireJson(request: Request): void {
  if (!hasBody(request)) throw new AppError('validation_failed', 'The body is missing')
  const type = request.headers['content-type']
  // As nearly all say it, which need not be taken apart.
  if (type === 'application/json') return
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type ?? '') ?? []
  if (!request.is('json') || !/^utf-?8$/i.test(charset))
    throw new AppError('unsupported_media', 'The body must be application/json in UTF-8')
}

function refuseBody(request: Request): void {
  if (hasBody(request)) throw new AppError('validation_failed', 'This call takes no body')
}

/** The language of what a caller is told; programs are told in English. */
const localeOf = ({ originalUrl, headers }: Request): Locale =>
  isApiPath(originalUrl.split('?', 1)[0] ?? '') ? 'en' : (acceptedLocale(headers) ?? 'en')

function parsePart(schema: z.ZodType | undefined, value: unknown, part: string, locale: Locale): unknown {
  if (schema === undefined) return undefined
  const { data, faults } = validate(schema, value, part, locale)
  if (faults !== undefined) throw validationFailed(faults)
  return data
}

/** A 400 that names each faulty field. */
export function validationFailed(details: NonNullable<ErrorBody['details']>): AppError {
  const only = details.length === 1 ? details[0]?.message : undefined
  return new AppError('validation_failed', only ?? 'Please correct the form errors', { details })
}
