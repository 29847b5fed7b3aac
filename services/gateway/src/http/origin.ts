import { isApiPath } from '@parley/contracts'
import type { OwnAddresses } from '@parley/kit'
import type { RequestHandler } from 'express'

const methods = 'GET, POST, PUT, PATCH, DELETE'
const requestHeaders =
  'authorization, content-type, idempotency-key, last-event-id, x-guest-session-id, x-request-id, x-share-password, x-view-as'
const exposed =
  'retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-guest-remaining-messages, x-guest-session-id, x-next-cursor, x-request-id'

/** Refuses requests to another host than the product's own: a foreign page had its own name lead here, and would be taken for ours. */
export function checkHost(own: OwnAddresses): RequestHandler {
  return ({ headers }, _response, next) => {
    own.refuseForeignHost(headers)
    next()
  }
}

/** CORS for `/api/v1`, which pages of any site may call: a key is in no cookie that a browser would add by itself. */
const openToAll: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  // What the official clients send is more than can be listed; `*` does not stand for the first.
  'access-control-allow-headers': 'authorization, *',
  'access-control-allow-methods': 'GET, POST',
  'access-control-expose-headers': '*',
  'access-control-max-age': '600',
}

/** CORS for the product's own origins, and a refusal of whatever another site's page sends; `/api/v1` is open to all, without credentials. */
export function checkOrigin(own: OwnAddresses): RequestHandler {
  return ({ headers, method, originalUrl }, response, next) => {
    if (isApiPath(originalUrl.split('?', 1)[0] ?? '')) {
      for (const [name, value] of Object.entries(openToAll)) response.setHeader(name, value)
      if (method === 'OPTIONS') response.status(204).end()
      else next()
      return
    }
    const { origin } = headers
    response.vary('Origin')
    own.refuseForeignOrigin(headers)
    if (origin !== undefined && own.origins.has(origin)) {
      response.setHeader('access-control-allow-origin', origin)
      response.setHeader('access-control-allow-credentials', 'true')
      response.setHeader('access-control-expose-headers', exposed)
    }
    if (method === 'OPTIONS') {
      response.setHeader('access-control-allow-methods', methods)
      response.setHeader('access-control-allow-headers', requestHeaders)
      response.setHeader('access-control-max-age', '600')
      response.status(204).end()
      return
    }
    next()
  }
}
