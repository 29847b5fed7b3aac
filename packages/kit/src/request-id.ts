import type { ServerResponse } from 'node:http'
import { isApiPath } from '@parley/contracts'
import type { RequestHandler } from 'express'
import { newId } from './ids.ts'
import { readTraceparent } from './tracing/traceparent.ts'

/** The header that a request's id travels in: to the services, between them, and back with the answer. */
export const requestIdHeader = 'x-request-id'
/** Where Anthropic's clients look for it. */
const requestIdOfAnthropic = 'request-id'

/**
 * Keeps an inbound request id of the documented form, else takes the caller's trace id, so that one id names the request everywhere, or makes one;
 * every answer carries it, those of programs under both names.
 */
export const requestId: RequestHandler = (request, response, next) => {
  const inbound = request.headers[requestIdHeader]
  const kept = typeof inbound === 'string' && /^[A-Za-z0-9_-]{8,64}$/.test(inbound)
  const id = kept ? inbound : (readTraceparent(request.headers.traceparent)?.traceId ?? newId())
  response.setHeader(requestIdHeader, id)
  if (isApiPath(request.path)) response.setHeader(requestIdOfAnthropic, id)
  next()
}

/** The id of the request that is answered; empty where `requestId` has not seen it. */
export const requestIdOf = (response: ServerResponse): string => String(response.getHeader(requestIdHeader) ?? '')
