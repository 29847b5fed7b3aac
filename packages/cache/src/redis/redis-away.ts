/** Why the engine is of no use now. All of these come to the same for callers; whoever reads the log needs to know which. */
export type AwayKind = 'unreachable' | 'credentials' | 'version' | 'read-only' | 'full' | 'loading'

/** The engine is away; `kind` says why. Callers go their local path. */
export class RedisAwayError extends Error {
  override readonly name = 'RedisAwayError'
  readonly code = 'engine_away'
  readonly kind: AwayKind

  constructor(kind: AwayKind, cause?: unknown) {
    super(says[kind] + detailOf(cause), { cause })
    this.kind = kind
  }
}

const says: Readonly<Record<AwayKind, string>> = {
  unreachable: 'Redis cannot be reached or does not answer in time',
  credentials: 'Redis refuses these credentials, or they lack a right',
  version: 'Redis is too old',
  'read-only': 'Redis is a read-only replica',
  full: 'Redis takes no writes: its memory or disk is full',
  loading: 'Redis is not ready yet: it loads its data or waits for its primary',
}

/** Within a script the code is not at the start of the message. */
const codes: readonly (readonly [RegExp, AwayKind])[] = [
  [/\b(WRONGPASS|NOAUTH|NOPERM)\b|invalid password/, 'credentials'],
  [/\bREADONLY\b/, 'read-only'],
  [/\b(OOM|MISCONF)\b/, 'full'],
  [/\b(LOADING|MASTERDOWN|CLUSTERDOWN|BUSY)\b|NOREPLICAS/, 'loading'],
]

/** The error as an outage; undefined when the engine is there and refused just this one command. */
export function asAway(error: unknown): RedisAwayError | undefined {
  if (error instanceof RedisAwayError) return error
  const message = error instanceof Error ? error.message : String(error)
  const known = codes.find(([code]) => code.test(message))
  if (known !== undefined) return new RedisAwayError(known[1], error)
  return isReply(error) ? undefined : new RedisAwayError('unreachable', error)
}

/** An answer of the engine, other than a fault of the connection. */
const isReply = (error: unknown): boolean => error instanceof Error && error.name === 'ReplyError'

function detailOf(cause: unknown): string {
  if (cause === undefined) return ''
  return ` (${cause instanceof Error ? cause.message || cause.name : String(cause)})`
}
