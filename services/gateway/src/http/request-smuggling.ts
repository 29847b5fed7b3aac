import type { IncomingMessage } from 'node:http'
import { AppError } from '@parley/kit'
import type { RequestHandler } from 'express'

/** Headers of which a second one could be read by somebody else than the first. */
const single = new Set([
  'host',
  'origin',
  'authorization',
  'x-api-key',
  'content-type',
  'x-guest-session-id',
  'x-view-as',
  'idempotency-key',
])

/** True for a request that two readers could understand differently: a target that is no path, or a header twice that can only be there once. */
export function isAmbiguous({ rawHeaders, url }: Pick<IncomingMessage, 'rawHeaders' | 'url'>): boolean {
  const names = rawHeaders.filter((_text, index) => index % 2 === 0).map((name) => name.toLowerCase())
  return !url?.startsWith('/') || names.some((name, index) => single.has(name) && names.indexOf(name) !== index)
}

/** The guard against request smuggling: refuses requests that two readers could understand differently. The connection ends with the answer. */
export const rejectAmbiguousRequests: RequestHandler = (request, _response, next) => {
  if (isAmbiguous(request)) {
    throw new AppError('validation_failed', 'The request couldn’t be read', { headers: { connection: 'close' } })
  }
  next()
}
