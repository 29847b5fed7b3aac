import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** Headers as names in lower case and their values by turns, which is the form that is written fastest. */
export type HeaderList = readonly string[]

/** Pages of this origin may listen, for dictation; nobody may look, or ask where a person is. */
const permissions = 'camera=(), geolocation=(), microphone=(self)'

/** Answers of the API are nobody's to keep. */
export const neverStored: HeaderList = ['cache-control', 'no-store']

/** The headers of every answer: nothing may run, load or frame but what this origin serves. */
export function securityHeaderList(publicUrl: string): HeaderList {
  const secure = publicUrl.startsWith('https:')
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: secure ? { maxAge: 63_072_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  })
  // They are the same for all answers, so that one which nobody receives is enough to make them.
  const request = new IncomingMessage(new Socket())
  const answer = new ServerResponse(request)
  answer.setHeader('permissions-policy', permissions)
  protect(request, answer, (error) => {
    if (error !== undefined) throw error
  })
  return Object.entries(answer.getHeaders()).flatMap(([name, value]) => [name, String(value)])
}

/** Sets these headers. */
export function setHeaders(response: ServerResponse, headers: HeaderList): void {
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] as string, headers[at + 1] as string)
}

/** The same for servers of Express. */
export function securityHeaders(publicUrl: string): RequestHandler {
  const headers = securityHeaderList(publicUrl)
  return (_request, response, next) => {
    setHeaders(response, headers)
    next()
  }
}
