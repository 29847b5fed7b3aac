import type { IncomingMessage } from 'node:http'
import type { Exchange } from './exchange.ts'
import { answerHeaders } from './relayed-headers.ts'

/** Bytes up to which a body that is there in one piece is written together with its headers. */
export const oneWriteBytes = 16 * 1024

/** Bytes as a text of one byte per character, which leaves in one write with the headers before it. */
export const asOneWrite = (bytes: Buffer): string => bytes.toString('latin1')

/** Writes a service's answer into ours, part by part as it comes and as fast as it is read. */
export function pipeAnswer(answer: IncomingMessage, { request, response, headers }: Exchange): void {
  const all = answerHeaders(answer, headers)
  // Nothing can follow a request of which not all has come.
  if (!request.complete) all.push('connection', 'close')
  response.writeHead(answer.statusCode ?? 502, all)
  const lengthAt = all.indexOf('content-length')
  const length = lengthAt < 0 ? undefined : Number(all[lengthAt + 1])
  let isWaiting = false
  answer.on('data', (part: Buffer) => {
    if (part.length === length && length <= oneWriteBytes) {
      response.end(asOneWrite(part), 'latin1')
      return
    }
    if (response.write(part) || isWaiting) return
    isWaiting = true
    answer.pause()
    response.once('drain', () => {
      isWaiting = false
      answer.resume()
    })
  })
  answer.once('end', () => response.end())
  answer.once('close', () => {
    if (!answer.complete) response.destroy()
  })
}
