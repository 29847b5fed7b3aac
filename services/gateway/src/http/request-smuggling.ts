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
  // A fragment is no part of a target: the route table would read it, and Express would not.
  if (!url?.startsWith('/') || url.includes('#')) return true
  const seen: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    if (!single.has(name)) continue
    if (seen.includes(name)) return true
    seen.push(name)
  }
  return false
}

/** The guard against request smuggling: refuses requests that two readers could understand differently. The connection ends with the answer. @throws AppError validation_failed */
export function refuseAmbiguous(request: IncomingMessage): void {
  if (isAmbiguous(request)) {
    throw new AppError('validation_failed', 'The request couldn’t be read', { headers: { connection: 'close' } })
  }
}

/** The same for Express. */
export const rejectAmbiguousRequests: RequestHandler = (request, _response, next) => {
  refuseAmbiguous(request)
  next()
}
