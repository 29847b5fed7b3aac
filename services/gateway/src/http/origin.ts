import { AppError, createOriginCheck, ownOrigins } from '@parley/kit'
import type { RequestHandler } from 'express'

const methods = 'GET, POST, PUT, PATCH, DELETE'
const requestHeaders =
  'authorization, content-type, idempotency-key, last-event-id, x-guest-session-id, x-request-id, x-view-as'
const exposed =
  'retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-guest-remaining-messages, x-guest-session-id, x-next-cursor, x-request-id'

/**
 * CORS for the product's own origin, and a refusal of changes that another site's page sends: an Origin that is neither ours nor
 * that of the host which was called.
 */
export function checkOrigin(publicUrl: string): RequestHandler {
  const own = ownOrigins(publicUrl)
  const isOwn = createOriginCheck(publicUrl)
  return (request, response, next) => {
    const { origin } = request.headers
    response.vary('Origin')
    if (origin !== undefined && own.has(origin)) {
      response.setHeader('access-control-allow-origin', origin)
      response.setHeader('access-control-allow-credentials', 'true')
      response.setHeader('access-control-expose-headers', exposed)
    }
    if (request.method === 'OPTIONS') {
      response.setHeader('access-control-allow-methods', methods)
      response.setHeader('access-control-allow-headers', requestHeaders)
      response.setHeader('access-control-max-age', '600')
      response.status(204).end()
      return
    }
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (origin !== undefined && !reads && !isOwn(origin, request.headers.host)) {
      throw new AppError('forbidden', 'This request came from another site.')
    }
    next()
  }
}
