import type { ErrorBody } from '@parley/contracts'
import type { ErrorRequestHandler } from 'express'
import { AppError, isAppError, notFound, unavailable } from './app-error.ts'
import { isEngineAway, isEngineRefusing } from './engine-away.ts'
import type { Logger } from './log.ts'

/** The documented body of an error. */
export const errorBody = (error: AppError, requestId: string): ErrorBody => ({
  error: error.message,
  code: error.code,
  requestId,
  ...(error.details === undefined ? {} : { details: error.details }),
})

/** Writes whatever a handler threw. An engine that is away or refuses us is a 503; what nobody foresaw becomes a blank 500. Both are logged. */
export function answerErrors(log: Logger): ErrorRequestHandler {
  return (thrown, request, response, _next) => {
    const error = toAppError(thrown)
    const requestId = String(response.getHeader('x-request-id') ?? '')
    const { status } = error
    if (status >= 500)
      log.error({ err: thrown, status, requestId, method: request.method, path: request.path }, 'request failed')
    if (response.headersSent) {
      response.destroy()
      return
    }
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value)
    if (!request.complete) response.setHeader('connection', 'close')
    response.status(status).json(errorBody(error, requestId))
  }
}

/** The router throws errors of its own with a `status`; their texts may echo input and are not passed on. */
function toAppError(thrown: unknown): AppError {
  if (isAppError(thrown)) return thrown
  const status = (thrown as { status?: unknown } | null)?.status
  if (status === 404) return notFound()
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new AppError('validation_failed', 'The request could not be read')
  }
  if (isEngineAway(thrown) || isEngineRefusing(thrown)) return unavailable(thrown)
  return new AppError('internal_error', 'Something went wrong on our side. Please try again.', { cause: thrown })
}
