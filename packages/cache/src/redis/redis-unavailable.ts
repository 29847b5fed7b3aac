/** Why the engine is unavailable. All reasons mean the same to callers; operators read them in the log. */
export type UnavailableKind = 'unreachable' | 'credentials' | 'version' | 'read-only' | 'full' | 'loading'

/** The engine is unavailable; `kind` says why. Callers use their local fallback. */
export class RedisUnavailableError extends Error {
  override readonly name = 'RedisUnavailableError'
  readonly kind: UnavailableKind

  constructor(kind: UnavailableKind, cause?: unknown) {
    super(messages[kind] + detailOf(cause), { cause })
    this.kind = kind
  }
}

const messages: Readonly<Record<UnavailableKind, string>> = {
  unreachable: 'Redis cannot be reached or does not answer in time',
  credentials: 'Redis refuses these credentials, or they lack a right',
  version: 'Redis is too old',
  'read-only': 'Redis is a read-only replica',
  full: 'Redis takes no writes: its memory or disk is full',
  loading: 'Redis is not ready yet: it loads its data or waits for its primary',
}

/** Within a script the code is not at the start of the message. */
const codes: readonly (readonly [RegExp, UnavailableKind])[] = [
  [/\b(WRONGPASS|NOAUTH|NOPERM)\b|invalid password/, 'credentials'],
  [/\bREADONLY\b/, 'read-only'],
  [/\b(OOM|MISCONF)\b/, 'full'],
  [/\b(LOADING|MASTERDOWN|CLUSTERDOWN|BUSY)\b|NOREPLICAS/, 'loading'],
]

/** The error as an outage; undefined when the engine is there and refused just this one command. */
export function asUnavailable(error: unknown): RedisUnavailableError | undefined {
  if (error instanceof RedisUnavailableError) return error
  const message = error instanceof Error ? error.message : String(error)
  const known = codes.find(([code]) => code.test(message))
  if (known !== undefined) return new RedisUnavailableError(known[1], error)
  return isReply(error) ? undefined : new RedisUnavailableError('unreachable', error)
}

/** An answer of the engine, other than a fault of the connection. */
const isReply = (error: unknown): boolean => error instanceof Error && error.name === 'ReplyError'

function detailOf(cause: unknown): string {
  if (cause === undefined) return ''
  return ` (${cause instanceof Error ? cause.message || cause.name : String(cause)})`
}
