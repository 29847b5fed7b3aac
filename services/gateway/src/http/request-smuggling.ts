import type { IncomingMessage } from 'node:http'
import { AppError } from '@parley/kit'

/** Headers whose duplicates could be interpreted differently by two readers. */
const single = new Set([
  'host',
  'origin',
  'authorization',
  'x-api-key',
  'content-type',
  'x-guest-session-id',
  'x-view-as',
  'idempotency-key',
])

/** True for a request that two readers could interpret differently: a target that is not a path, or a duplicate of a single-valued header. */
export function isAmbiguous({ rawHeaders, url }: Pick<IncomingMessage, 'rawHeaders' | 'url'>): boolean {
  // A fragment does not belong in a target: the route table would read it, and Express would not.
  if (!url?.startsWith('/') || url.includes('#')) return true
  const seen: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    if (!single.has(name)) continue
    if (seen.includes(name)) return true
    seen.push(name)
  }
  return false
}

/** Guards against request smuggling: refuses ambiguous requests. The connection is closed after the response. @throws AppError validation_failed */
export function refuseAmbiguous(request: IncomingMessage): void {
  if (isAmbiguous(request)) {
    throw new AppError('validation_failed', 'The request couldn’t be read', { headers: { connection: 'close' } })
  }
}
