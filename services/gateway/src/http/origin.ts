import type { IncomingHttpHeaders } from 'node:http'
import { isApiPath } from '@parley/contracts'
import type { OwnAddresses } from '@parley/kit'
import type { RequestHandler } from 'express'
import { type HeaderList, setHeaders } from './headers.ts'

const methods = 'GET, POST, PUT, PATCH, DELETE'
const requestHeaders =
  'authorization, content-type, idempotency-key, last-event-id, x-guest-session-id, x-request-id, x-share-password, x-view-as'
const exposed =
  'retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-guest-remaining-messages, x-guest-session-id, x-next-cursor, x-request-id'

/** What a page of the product's own may send. */
const preflight: HeaderList = [
  ...['access-control-allow-methods', methods],
  ...['access-control-allow-headers', requestHeaders],
  ...['access-control-max-age', '600'],
]

/** Refuses requests to another host than the product's own: a foreign page had its own name lead here, and would be taken for ours. */
export function checkHost(own: OwnAddresses): RequestHandler {
  return ({ headers }, _response, next) => {
    own.refuseForeignHost(headers)
    next()
  }
}

/** CORS for `/api/v1`, which pages of any site may call: a key is in no cookie that a browser would add by itself. */
const openToAll: HeaderList = [
  ...['access-control-allow-origin', '*'],
  // What the official clients send is more than can be listed; `*` does not stand for the first.
  ...['access-control-allow-headers', 'authorization, *'],
  ...['access-control-allow-methods', 'GET, POST'],
  ...['access-control-expose-headers', '*'],
  ...['access-control-max-age', '600'],
]
const dependsOnOrigin: HeaderList = ['vary', 'Origin']

/** The CORS headers that every answer to a call of this path has, refusals included. */
export const originHeaderList = (path: string): HeaderList => (isApiPath(path) ? openToAll : dependsOnOrigin)

/** Further ones, by which a page of the product's own may read the answer. @throws AppError forbidden for a page of another site; `/api/v1` is open to all */
export function allowOrigin(own: OwnAddresses, path: string, headers: IncomingHttpHeaders): HeaderList {
  if (isApiPath(path)) return []
  own.refuseForeignOrigin(headers)
  const { origin } = headers
  if (origin === undefined || !own.origins.has(origin)) return []
  return [
    ...['access-control-allow-origin', origin],
    ...['access-control-allow-credentials', 'true'],
    ...['access-control-expose-headers', exposed],
  ]
}

/** CORS for the product's own origins, and a refusal of whatever another site's page sends; `/api/v1` is open to all, without credentials. */
export function checkOrigin(own: OwnAddresses): RequestHandler {
  return ({ headers, method, originalUrl }, response, next) => {
    const path = originalUrl.split('?', 1)[0] ?? ''
    setHeaders(response, originHeaderList(path))
    setHeaders(response, allowOrigin(own, path, headers))
    if (method !== 'OPTIONS') {
      next()
      return
    }
    if (!isApiPath(path)) setHeaders(response, preflight)
    response.status(204).end()
  }
}
