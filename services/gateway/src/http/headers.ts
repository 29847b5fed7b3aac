import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** Pages of this origin may listen, for dictation; nobody may look, or ask where a person is. */
const permissions = 'camera=(), geolocation=(), microphone=(self)'

/** The headers of every answer: nothing may run, load or frame but what this origin serves. */
export function securityHeaders(publicUrl: string): RequestHandler {
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
  return (request, response, next) => {
    response.setHeader('permissions-policy', permissions)
    protect(request, response, next)
  }
}

/** Answers of the API are nobody's to keep. */
export const neverStored: RequestHandler = (_request, response, next) => {
  response.setHeader('cache-control', 'no-store')
  next()
}
