import { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { AppError } from './app-error.ts'
import { errorBody } from './error-answer.ts'
import { newId } from './ids.ts'

/** Writes a refusal in the documented shape where there is still room for one: as an answer, or on a bare connection, which it ends. */
export function writeRefusal(to: ServerResponse | Duplex, error: AppError): void {
  const body = JSON.stringify(errorBody(error, newId()))
  const type = 'application/json; charset=utf-8'
  if (to instanceof ServerResponse) {
    if (to.headersSent || to.destroyed) {
      to.destroy()
      return
    }
    to.writeHead(error.status, { 'content-type': type, ...error.headers })
    to.end(body)
    return
  }
  if (to instanceof Socket && to.bytesWritten > 0) {
    to.destroy()
    return
  }
  const headers = [`content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`]
  const rest = Object.entries(error.headers).map(([name, value]) => `${name}: ${value}`)
  to.end([`HTTP/1.1 ${error.status} Refused`, 'connection: close', ...headers, ...rest, '', body].join('\r\n'))
}
