import { timedOut } from './failure.ts'

/** Time limits of a call with a non-streamed answer. */
interface Bounds {
  /** By `performance.now()`. */
  readonly deadline: number
  /** Aborts when the caller has left. */
  readonly left: AbortSignal
  /** Names the wait in the failure. */
  readonly which: string
}

/** Runs a call that is aborted at its deadline and when `left` aborts; its failure then has that reason. */
export async function within<T>(
  { deadline, left, which }: Bounds,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const signal = AbortSignal.any([left, late.signal])
  const timer = setTimeout(() => late.abort(timedOut(which)), Math.max(0, deadline - performance.now()))
  try {
    return await call(signal)
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}
