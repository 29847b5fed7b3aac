import { defaultBodyLimit, type ErrorBody, type Principal, type Route } from '@parley/contracts'
import express, { type IRouter, type NextFunction, type Request, type RequestHandler, type Response } from 'express'
import type { z } from 'zod'
import { authorise } from './access.ts'
import { AppError } from './app-error.ts'
import { servedPath } from './paths.ts'

/** What a handler is given: the validated parts of the call and who calls. */
export interface Call<R extends Route> {
  readonly principal: Principal
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
    const reply = await act(call)
    response.status(reply.status ?? route.status ?? 200)
    for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value)
    if (reply.body === undefined) response.end()
    else response.json(reply.body)
  })
}

/** Mounts a route whose handler writes the answer itself; a thrown error is still presented when nothing was written. */
export function mountStream<R extends Route>(
  router: IRouter,
  route: R,
  act: (call: Call<R>, response: Response, request: Request) => Promise<void>,
): void {
  const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
  const handler: RequestHandler = async (request, response) => {
    const call = {
      principal: principalOf(response),
      params: parsePart(route.params, request.params, 'params'),
      query: parsePart(route.query, request.query, 'query'),
      body: parsePart(route.body, request.body, 'body'),
      headers: request.headers,
    }
    await act(call as Call<R>, response, request)
  }
  router[method](servedPath(route), authoriseFor(route), ...bodyParsers(route), handler)
}

const principalOf = (response: Response): Principal => response.locals.principal as Principal

const authoriseFor =
  (route: Route): RequestHandler =>
  (_request, response, next) => {
    authorise(route, principalOf(response))
    next()
  }

function bodyParsers(route: Route): RequestHandler[] {
  if (route.body === undefined) return route.method === 'GET' || route.method === 'DELETE' ? [refuseBody] : []
  return [requireJson, express.json({ limit: route.bodyLimit ?? defaultBodyLimit, strict: false, type: () => true })]
}

function requireJson(request: Request, _response: Response, next: NextFunction): void {
  // The parser would make an empty object of no body, which some schemas accept.
  if (!hasBody(request)) throw new AppError('validation_failed', 'The body is missing')
  if (!request.is('json')) throw new AppError('unsupported_media', 'The body must be application/json')
  next()
}

function refuseBody(request: Request, _response: Response, next: NextFunction): void {
  if (hasBody(request)) throw new AppError('validation_failed', 'This call takes no body')
  next()
}

const hasBody = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0

function parsePart(schema: z.ZodType | undefined, value: unknown, part: string): unknown {
  if (schema === undefined) return undefined
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw validationFailed(
    result.error.issues.slice(0, 20).map((issue) => ({ path: issue.path.join('.') || part, message: issue.message })),
  )
}

/** A 400 that names each faulty field. */
export function validationFailed(details: NonNullable<ErrorBody['details']>): AppError {
  const only = details.length === 1 ? details[0]?.message : undefined
  return new AppError('validation_failed', only ?? 'Please correct the form errors', { details })
}
