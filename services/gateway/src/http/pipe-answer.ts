import type { IncomingMessage } from 'node:http'
import type { Exchange } from './exchange.ts'
import { answerHeaders } from './relayed-headers.ts'

/** Up to this size, a body that is complete is written together with its headers. */
export const oneWriteBytes = 16 * 1024

/** Bytes as a latin1 string, which Node.js sends in one write with the preceding headers. */
export const asOneWrite = (bytes: Buffer): string => bytes.toString('latin1')

/** Pipes a service's response into the client's, with backpressure. */
export function pipeAnswer(answer: IncomingMessage, { request, response, headers }: Exchange): void {
  const all = answerHeaders(answer, headers)
  // After an incompletely received request the connection cannot be reused.
  if (!request.complete) all.push('connection', 'close')
  response.writeHead(answer.statusCode ?? 502, all)
  const lengthAt = all.indexOf('content-length')
  const length = lengthAt < 0 ? undefined : Number(all[lengthAt + 1])
  // Not `once`: a compressed response does not remove such a listener.
  response.on('drain', () => answer.resume())
  answer.on('data', (part: Buffer) => {
    if (part.length === length && length <= oneWriteBytes) response.end(asOneWrite(part), 'latin1')
    else if (!response.write(part)) answer.pause()
  })
  answer.once('end', () => response.end())
  answer.once('close', () => {
    if (!answer.complete) response.destroy()
  })
}
