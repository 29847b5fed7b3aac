import type { Duplex } from 'node:stream'
import type { ErrorBody } from '@parley/contracts'
import { AppError, tooSlow } from '../errors/app-error.ts'
import { newId } from '../ids.ts'
import { requestIdHeader } from './request-id.ts'

/**
 * How long a refused connection may stay open on its client's side, in milliseconds. Closed at once, data that the client is still sending would have the
 * system discard the refusal.
 */
const lingerMs = 1_000

/** Refuses a request that could not be read as HTTP, and ends its connection. */
export function refuseUnreadable(connection: Duplex, cause: NodeJS.ErrnoException): void {
  if (cause.code === 'ECONNRESET' || !connection.writable) connection.destroy()
  else endWithRefusal(connection, unreadable(cause.code))
}

function unreadable(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('headers_too_large', 'The request’s headers are too large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow()
  return new AppError('validation_failed', 'The request couldn’t be read')
}

/** Writes a refusal in the documented shape on a bare connection, and ends it. */
export function endWithRefusal(connection: Duplex, error: AppError): void {
  const requestId = newId()
  const { message, code, details, current } = error
  const body = JSON.stringify({ error: message, code, requestId, details, current } satisfies ErrorBody)
  const headers = {
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    [requestIdHeader]: requestId,
    ...error.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  connection.end([`HTTP/1.1 ${error.status} Refused`, ...lines, '', body].join('\r\n'))
  // Connections of an HTTP server are half open: one whose client never closes its side would be held for ever.
  const late = setTimeout(() => connection.destroy(), lingerMs).unref()
  connection.once('close', () => clearTimeout(late))
}
