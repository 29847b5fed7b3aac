import type { IncomingHttpHeaders } from 'node:http'
import { isApiPath, isApiRoute, publicRoutes } from '@parley/contracts'
import type { OwnAddresses } from '@parley/kit'
import type { RequestHandler } from 'express'
import { type HeaderList, setHeaders } from './headers.ts'

const methods = 'GET, POST, PUT, PATCH, DELETE'
const commonRequestHeaders = [
  'authorization',
  'content-type',
  'if-none-match',
  'x-guest-session-id',
  'x-request-id',
  'x-view-as',
]
const routeHeaders = publicRoutes.flatMap((route) => Object.keys(route.headers?.shape ?? {}))
const requestHeaders = [...new Set([...commonRequestHeaders, ...routeHeaders].map((name) => name.toLowerCase()))].join(
  ', ',
)
const methodsOfPrograms = [...new Set(publicRoutes.filter(isApiRoute).map(({ method }) => method))].join(', ')
const exposed =
  'content-disposition, etag, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-guest-remaining-messages, x-guest-session-id, x-next-cursor, x-request-id'

/** The preflight response for the product's own pages. */
const preflight: HeaderList = [
  ...['access-control-allow-methods', methods],
  ...['access-control-allow-headers', requestHeaders],
  ...['access-control-max-age', '600'],
]

/** CORS for `/api/v1`, open to pages of any site: an API key is not a cookie, so no browser adds it on its own. */
const openToAll: HeaderList = [
  ...['access-control-allow-origin', '*'],
  // Official clients send more headers than can be listed; `*` does not cover `authorization`.
  ...['access-control-allow-headers', 'authorization, *'],
  ...['access-control-allow-methods', methodsOfPrograms],
  ...['access-control-expose-headers', '*'],
  ...['access-control-max-age', '600'],
]
const dependsOnOrigin: HeaderList = ['vary', 'Origin']

/** CORS headers of every response to a call of this path, including refusals. */
export const originHeaderList = (path: string): HeaderList => (isApiPath(path) ? openToAll : dependsOnOrigin)

/** Additional headers that let a page of the product read the response. @throws AppError forbidden for a page of another site; `/api/v1` is open to all */
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

/** CORS for the product's own origins, and a refusal of other sites' requests; `/api/v1` is open to all, without credentials. */
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
