import { timedOut } from './failure.ts'

/** How long a call that is answered as a whole may take. */
interface Bounds {
  /** Of `performance.now()`. */
  readonly deadline: number
  /** Aborts when nobody waits for the call any more. */
  readonly left: AbortSignal
  /** Names the wait in the failure. */
  readonly which: string
}

/** Runs a call that is aborted at its deadline and when `left` aborts; its failure is then the reason of that. */
export async function within<T>(
  { deadline, left, which }: Bounds,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController()
  const follow = (): void => own.abort(left.reason)
  if (left.aborted) follow()
  left.addEventListener('abort', follow, { once: true })
  const timer = setTimeout(() => own.abort(timedOut(which)), Math.max(0, deadline - performance.now()))
  try {
    return await call(own.signal)
  } catch (error) {
    throw own.signal.aborted ? own.signal.reason : error
  } finally {
    clearTimeout(timer)
    left.removeEventListener('abort', follow)
  }
}
