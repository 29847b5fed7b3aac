/**
 * Settles as `work` does, or rejects with `late()` after `ms`; what `work` does later is nobody's concern any more. A pause of this process
 * is not held against the other side: an answer that has arrived meanwhile counts.
 */
export function withTimeout<T>(
  ms: number,
  work: Promise<T>,
  late: () => Error = () => new Error(`no answer within ${ms / 1000} s`),
): Promise<T> {
  return new Promise((resolve, reject) => {
    // Between a timer and an immediate, what has arrived is read.
    const timer = setTimeout(() => setImmediate(() => reject(late())), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
