import type { ClientRequest, IncomingMessage } from 'node:http'
import { chatRoutes, type Principal, type Route } from '@parley/contracts'
import { bodyAtHand, parseJsonBody, readBody } from '@parley/kit'

/** Bodies up to this many bytes are kept until their answer begins, so that they can be sent once more. */
const keptBytes = 64 * 1024

/** Which failures a request may be sent again after: any before an answer, only one that came before anything was sent, or none. */
export type Repeatable = 'until-answered' | 'until-sent' | 'never'

/** What went wrong before an answer: no connection was made, it broke, or the replica said that it leaves. */
export type Failure = 'refused' | 'reset' | 'leaving'

/** Whether a request to a service is sent again, and what of it was. */
export interface RetryPolicy {
  /** Undefined when it is long or of unknown length: then it is passed on as it comes. */
  readonly body: Buffer | undefined
  readonly repeatable: Repeatable
  /** How often it was sent again. */
  repeats: number
  /** The last try; undefined before it is sent. */
  outgoing: ClientRequest | undefined
  /** True once the service was silent for too long, which is no reason to ask again. */
  late: boolean
}

/** Reads the body when it is short. @throws AppError request_timeout when it comes too slowly, validation_failed when the caller leaves before all of it came */
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

/** Before each repeat, in milliseconds: until whoever spreads the load has noticed that a replica left. */
const pausesMs = [0, 100, 300, 600, 1_000]

/** How long to wait before the request is sent again after a failure; undefined when it is not. */
export function pauseBeforeRepeat({ repeatable, repeats, late }: RetryPolicy, failure: Failure): number | undefined {
  if (repeatable === 'never' || late) return undefined
  if (failure !== 'refused' && repeatable !== 'until-answered') return undefined
  // What broke may have been at work: more tries would only burden whoever is left.
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

/** True for a send that chat knows again. A guest without a session would come as another guest. */
function isKeyed(request: IncomingMessage, principal: Principal, body: Buffer): boolean {
  if (principal.kind === 'guest' && request.headers['x-guest-session-id'] === undefined) return false
  if (request.headers['idempotency-key'] !== undefined) return true
  try {
    const { clientMessageId } = parseJsonBody(body, chatRoutes.send) as { clientMessageId?: unknown }
    return typeof clientMessageId === 'string'
  } catch {
    // What chat refuses.
    return false
  }
}
