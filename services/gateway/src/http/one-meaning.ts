import { AppError } from '@parley/kit'
import type { RequestHandler } from 'express'

/** Headers of which a second one could be read by somebody else than the first. */
const single = new Set(['host', 'authorization', 'content-type', 'x-guest-session-id', 'x-view-as', 'idempotency-key'])

/**
 * Refuses requests that two readers could understand differently: a target that is no path, or a header twice that can only be there once.
 * The connection ends with the answer.
 */
export const refuseTwoMeanings: RequestHandler = (request, _response, next) => {
  const names = request.rawHeaders.filter((_text, index) => index % 2 === 0).map((name) => name.toLowerCase())
  const twice = names.some((name, index) => single.has(name) && names.indexOf(name) !== index)
  if (twice || !request.url.startsWith('/')) {
    throw new AppError('validation_failed', 'The request could not be read', { headers: { connection: 'close' } })
  }
  next()
}
