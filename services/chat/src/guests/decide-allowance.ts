/** A bucket's limit in a window that starts with its first message. */
export interface BucketLimit {
  readonly messages: number
  readonly windowMs: number
}

/** Messages taken in a window. */
export interface AllowanceWindow {
  readonly windowStart: Date
  readonly used: number
  /** Generations whose message is not settled. */
  readonly pending: readonly string[]
}

/** A change of a bucket: take a message for a generation, or settle it, which gives it back unless it is kept. */
export type AllowanceCommand =
  | { readonly type: 'take'; readonly generationId: string; readonly limit: BucketLimit; readonly now: Date }
  | { readonly type: 'settle'; readonly generationId: string; readonly kept: boolean }

/** The decision about a bucket. */
export interface AllowanceDecision {
  /** Whether the generation holds a message. */
  readonly granted: boolean
  /** The window after it; undefined leaves the bucket as it is. */
  readonly next?: AllowanceWindow
}

/** Decides a command by a bucket's window, undefined for a bucket without one: the same message is taken once, and settled once. */
export function decideAllowance(window: AllowanceWindow | undefined, command: AllowanceCommand): AllowanceDecision {
  const { generationId } = command
  if (command.type === 'settle') {
    if (!window?.pending.includes(generationId)) return { granted: false }
    const pending = window.pending.filter((each) => each !== generationId)
    return { granted: command.kept, next: { ...window, pending, used: window.used - (command.kept ? 0 : 1) } }
  }
  const { limit, now } = command
  const fresh: AllowanceWindow = { windowStart: now, used: 0, pending: [] }
  const { windowStart, used, pending } = currentWindow(window, limit.windowMs, now) ?? fresh
  if (pending.includes(generationId)) return { granted: true }
  if (used >= limit.messages) return { granted: false }
  return { granted: true, next: { windowStart, used: used + 1, pending: [...pending, generationId] } }
}

/** A bucket's window unless it is over: one that began a window's length ago is. */
export const currentWindow = (
  window: AllowanceWindow | undefined,
  windowMs: number,
  now: Date,
): AllowanceWindow | undefined =>
  window !== undefined && window.windowStart.getTime() > now.getTime() - windowMs ? window : undefined
