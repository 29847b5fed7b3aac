import { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ErrorBody } from '@parley/contracts'
import { AppError, tooSlow } from '../errors/app-error.ts'
import { newId } from '../ids.ts'
import { requestIdHeader, requestIdOf } from './request-id.ts'

/**
 * How long a refused connection may stay open on its client's side, in milliseconds. Closed at once, data that the client is still sending would have the
 * system discard the refusal.
 */
const lingerMs = 1_000

/** Writes a refusal in the documented shape where there is still room for one: as an answer, or on a bare connection, which it ends. */
export function writeRefusal(to: ServerResponse | Duplex, error: AppError): void {
  if (to instanceof ServerResponse) {
    if (to.headersSent || to.destroyed) {
      to.destroy()
      return
    }
    const { headers, body } = refusalOf(error, requestIdOf(to) || newId())
    to.writeHead(error.status, headers)
    to.end(body)
    return
  }
  if (to instanceof Socket && to.bytesWritten > 0) {
    to.destroy()
    return
  }
  endWithRefusal(to, error)
}

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

function endWithRefusal(connection: Duplex, error: AppError): void {
  const { headers, body } = refusalOf(error, newId())
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  connection.end([`HTTP/1.1 ${error.status} Refused`, 'connection: close', ...lines, '', body].join('\r\n'))
  // Connections of an HTTP server are half open: one whose client never closes its side would be held for ever.
  const late = setTimeout(() => connection.destroy(), lingerMs).unref()
  connection.once('close', () => clearTimeout(late))
}

interface Refusal {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

function refusalOf(error: AppError, requestId: string): Refusal {
  const { message, code, details, current } = error
  const body = JSON.stringify({ error: message, code, requestId, details, current } satisfies ErrorBody)
  const about = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    [requestIdHeader]: requestId,
  }
  return { headers: { ...about, ...error.headers }, body }
}
