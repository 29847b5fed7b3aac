import type { IncomingMessage, ServerResponse } from 'node:http'
import { isApiPath } from '@parley/contracts'
import type { RequestHandler } from 'express'
import { newId } from '../ids.ts'
import { readTraceparent } from '../observability/tracing/traceparent.ts'

/** The header that a request's id travels in: to the services, between them, and back with the answer. */
export const requestIdHeader = 'x-request-id'
/** Where Anthropic's clients look for it. */
const requestIdOfAnthropic = 'request-id'

/** The id of a request: the inbound one when it is of the documented form, else the caller's trace id, so that one id names the request everywhere, else a new one. */
export function chooseRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const inbound = headers[requestIdHeader]
  if (typeof inbound === 'string' && /^[A-Za-z0-9_-]{8,64}$/.test(inbound)) return inbound
  return readTraceparent(headers.traceparent)?.traceId ?? newId()
}

/** The names under which the answer to a call of this path tells the id. */
export const requestIdHeaders = (path: string): readonly string[] => (isApiPath(path) ? ofPrograms : ofPages)
const ofPrograms = [requestIdHeader, requestIdOfAnthropic]
const ofPages = [requestIdHeader]

/** Names the request by `chooseRequestId`; every answer carries the id, those of programs under both names. */
export const requestId: RequestHandler = (request, response, next) => {
  const id = chooseRequestId(request)
  for (const name of requestIdHeaders(request.path)) response.setHeader(name, id)
  next()
}

/** The id of the request that is answered; empty where `requestId` has not seen it. */
export const requestIdOf = (response: ServerResponse): string => String(response.getHeader(requestIdHeader) ?? '')
