import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** Lower-case header names and their values, alternating: the format that Node.js writes fastest. */
export type HeaderList = readonly string[]

/** Pages of this origin may use the microphone, for dictation, but neither camera nor location. */
const permissions = 'camera=(), geolocation=(), microphone=(self)'

/** API responses must not be cached. */
export const neverStored: HeaderList = ['cache-control', 'no-store']

/** Headers of every response: only resources of this origin may run, load or frame. */
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
  // The headers do not depend on the response, so they are computed once, on a dummy response.
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

/** The same as Express middleware. */
export function securityHeaders(publicUrl: string): RequestHandler {
  const headers = securityHeaderList(publicUrl)
  return (_request, response, next) => {
    setHeaders(response, headers)
    next()
  }
}
