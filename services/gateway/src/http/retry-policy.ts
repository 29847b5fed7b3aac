import type { ClientRequest, IncomingMessage } from 'node:http'
import { chatRoutes, type Principal, type Route } from '@parley/contracts'
import { bodyAtHand, parseJsonBody, readBody } from '@parley/kit'

/** Bodies up to this size are buffered until the response begins, so that the request can be retried. */
const keptBytes = 64 * 1024

/** When a request may be retried: after any failure before a response, only after a failure before anything was sent, or never. */
export type Repeatable = 'until-answered' | 'until-sent' | 'never'

/** A failure before the response: the connection was refused, it broke, or the replica is draining. */
export type Failure = 'refused' | 'reset' | 'leaving'

/** Whether a request may be retried, and its state. */
export interface RetryPolicy {
  /** Undefined for a long body or one of unknown length, which is piped. */
  readonly body: Buffer | undefined
  readonly repeatable: Repeatable
  /** Number of retries so far. */
  repeats: number
  /** The latest attempt; undefined before the first. */
  outgoing: ClientRequest | undefined
  /** True once the service was silent for too long, which is no reason to retry. */
  late: boolean
}

/** Buffers a short body. @throws AppError request_timeout when it arrives too slowly, validation_failed when the caller leaves before it is complete */
export async function readRetryPolicy(
  request: IncomingMessage,
  route: Route,
  principal: Principal,
): Promise<RetryPolicy> {
  const body = await keepBody(request)
  return {
    body,
    repeatable: repeatableOf(request, route, principal, body),
    repeats: 0,
    outgoing: undefined,
    late: false,
  }
}

/** Pauses before each retry in milliseconds, until the load balancer has noticed that a replica left. */
const pausesMs = [0, 100, 300, 600, 1_000]

/** The pause before retrying after this failure; undefined when the request is not retried. */
export function pauseBeforeRepeat({ repeatable, repeats, late }: RetryPolicy, failure: Failure): number | undefined {
  if (repeatable === 'never' || late) return undefined
  if (failure !== 'refused' && repeatable !== 'until-answered') return undefined
  // A request whose connection broke may have caused the failure: more retries would only burden the remaining replicas.
  if (failure === 'reset' && repeats > 0) return undefined
  return pausesMs[repeats]
}

const noBody = Buffer.alloc(0)

async function keepBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const length = Number(request.headers['content-length'] ?? 0)
  if (request.headers['transfer-encoding'] !== undefined || length > keptBytes) return undefined
  return length === 0 ? noBody : (bodyAtHand(request) ?? (await readBody(request, { limit: keptBytes })))
}

function repeatableOf(
  request: IncomingMessage,
  route: Route,
  principal: Principal,
  body: Buffer | undefined,
): Repeatable {
  if (body === undefined) return 'never'
  const isKeyedCall = route.access === 'key' && request.headers['idempotency-key'] !== undefined
  const safe = route.method === 'GET' || route === chatRoutes.stop || isKeyedCall
  return safe || (route === chatRoutes.send && isKeyed(request, principal, body)) ? 'until-answered' : 'until-sent'
}

/** True for a message that chat can deduplicate. A guest without a session would arrive as another guest. */
function isKeyed(request: IncomingMessage, principal: Principal, body: Buffer): boolean {
  if (principal.kind === 'guest' && request.headers['x-guest-session-id'] === undefined) return false
  if (request.headers['idempotency-key'] !== undefined) return true
  try {
    const { clientMessageId } = parseJsonBody(body, chatRoutes.send) as { clientMessageId?: unknown }
    return typeof clientMessageId === 'string'
  } catch {
    // Chat refuses it.
    return false
  }
}
