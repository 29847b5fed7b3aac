import { type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import {
  type ErrorBody,
  isApiPath,
  isMessagesPath,
  isOfAnthropic,
  type Locale,
  type Principal,
} from '@parley/contracts'
import type { ErrorRequestHandler, Request, Response } from 'express'
import { acceptedLocale } from '../http/accepted-locale.ts'
import { endWithRefusal } from '../http/refusal.ts'
import { hasBody } from '../http/request-body.ts'
import { requestIdHeader, requestIdOf } from '../http/request-id.ts'
import { newId } from '../ids.ts'
import type { Logger } from '../observability/log.ts'
import { apiErrorBody, apiErrorHeaders } from './api-error.ts'
import { AppError, isAppError, notFound, unavailable } from './app-error.ts'
import { errorText } from './error-texts/error-text.ts'
import { isUnavailable } from './is-unavailable.ts'

/** The documented body of an error, said in a language. */
export const errorBody = (error: AppError, requestId: string, locale: Locale = 'en'): ErrorBody => ({
  error: errorText(error.message, locale),
  code: error.code,
  requestId,
  ...(error.details && {
    details: error.details.map((detail) => ({ ...detail, message: errorText(detail.message, locale) })),
  }),
  ...(error.current === undefined ? {} : { current: error.current }),
})

/**
 * Writes whatever a handler threw. An engine that is unavailable or refuses us is a 503, as is a missing route for a service; what nobody foresaw
 * becomes a blank 500. All of them are logged.
 */
export function answerErrors(log: Logger): ErrorRequestHandler {
  const answer = createErrorWriter(log)
  return (thrown, request, response, _next) =>
    answer(lacksRoute(thrown, request, response) ? unavailable(new Error('no such route')) : thrown, request, response)
}

/**
 * Whether a service called a route that does not exist, as with a wrong address or at a replica of another version. Services take `not_found` for an
 * answer: nobody there, no longer wanted, already done.
 */
function lacksRoute(thrown: unknown, { route }: Request, { locals }: Response): boolean {
  const principal = locals.principal as Principal | undefined
  // Express sets the route of a request once one matches.
  return route === undefined && principal?.kind === 'service' && isAppError(thrown, 'not_found')
}

/** The same without Express. */
export type ErrorWriter = (thrown: unknown, request: IncomingMessage, response: ServerResponse) => void

/** @param log where failures are told, refusals are not */
export function createErrorWriter(log: Logger): ErrorWriter {
  return (thrown, request, response) => {
    const error = toAppError(thrown)
    const { status } = error
    const { method } = request
    if (status >= 500 && error.isReported) {
      const [path, requestId] = [urlOf(request).split('?', 1)[0], requestIdOf(response)]
      log.error({ err: thrown, status, requestId, method, path }, 'request failed')
    }
    writeError(error, request, response)
  }
}

/** Answers with an error where there is still room for an answer, and cuts the one that was begun. */
export function writeError(error: AppError, request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const { headers, body } = errorAnswer(error, requestIdOf(response), urlOf(request), request.headers)
  const text = JSON.stringify(body)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.setHeader('content-length', Buffer.byteLength(text))
  response.statusCode = error.status
  // One without a body is complete, also while its handler is called.
  if (request.complete || !hasBody(request)) {
    response.end(text)
    return
  }
  response.setHeader('connection', 'close')
  if (error.code === 'payload_too_large') lingeringEnd(request, response, text)
  else response.end(text)
}

/** The same also on a bare connection, which it ends. */
export function writeRefusal(to: ServerResponse | Duplex, error: AppError): void {
  if (to instanceof ServerResponse) {
    if (!to.headersSent && requestIdOf(to) === '') to.setHeader(requestIdHeader, newId())
    writeError(error, to.req, to)
  } else if (to instanceof Socket && to.bytesWritten > 0) to.destroy()
  else endWithRefusal(to, error)
}

/** Milliseconds for which the rest of a body that is too large is read and discarded. */
const lingerMs = 3_000

/** Closing a connection that still brings bytes resets it, and the sender may lose the answer: the end waits for the rest of the body, for a moment. */
function lingeringEnd(request: IncomingMessage, response: ServerResponse, text: string): void {
  response.write(text)
  const end = (): void => {
    clearTimeout(timer)
    request.off('end', end).off('close', end)
    response.end()
  }
  const timer = setTimeout(end, lingerMs).unref()
  request.once('end', end).once('close', end).resume()
}

/** As it is served: Express shortens the other one below a mounted path. */
const urlOf = (request: IncomingMessage): string => (request as Partial<Request>).originalUrl ?? request.url ?? ''

/** The router throws errors of its own with a `status`; their texts may echo input and are not passed on. */
function toAppError(thrown: unknown): AppError {
  if (isAppError(thrown)) return thrown
  const status = (thrown as { status?: unknown } | null)?.status
  if (status === 404) return notFound()
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new AppError('validation_failed', 'The request couldn’t be read')
  }
  if (isUnavailable(thrown)) return unavailable(thrown)
  return new AppError('internal_error', 'Something went wrong on our side. Please try again.', { cause: thrown })
}

/**
 * The answer to an error in the form that its caller reads: that of the official clients, in English, under `/api/v1`, else the product's own.
 * @param url as it is served
 * @param asked the headers of the call
 */
export function errorAnswer(
  error: AppError,
  requestId: string,
  url: string,
  asked: IncomingHttpHeaders,
): { readonly headers: Readonly<Record<string, string>>; readonly body: object } {
  const path = url.split('?', 1)[0] ?? ''
  if (!isApiPath(path)) {
    return { headers: error.headers, body: errorBody(error, requestId, acceptedLocale(asked) ?? 'en') }
  }
  const form = isMessagesPath(path) || isOfAnthropic(asked) ? 'anthropic' : 'openai'
  return { headers: apiErrorHeaders(error), body: apiErrorBody(error, requestId, form) }
}
