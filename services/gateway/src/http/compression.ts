import type { IncomingMessage, ServerResponse } from 'node:http'
import compression from 'compression'
import type { Request, Response } from 'express'

/** In bytes: what fits into one packet arrives no sooner when it is smaller. */
const threshold = 1_400

/** Media types of long texts. Event streams are not among them: a compressor would hold events back. */
const longTexts = /^(application\/json|text\/csv|text\/html)\b/

const compress = compression({
  threshold,
  // A part of a file must be sent as it is.
  filter: (_request, response) =>
    response.statusCode !== 206 && longTexts.test(String(response.getHeader('content-type') ?? '')),
})

/**
 * Compresses the response that is written next if it is a long text and the caller accepts an encoding. Secrets are safe beside a stranger's text, because
 * calls are authorised by a header, which other sites cannot send.
 */
export function compressAnswer(request: IncomingMessage, response: ServerResponse): void {
  compress(request as Request, response as Response, () => undefined)
}
