/**
 * Settles as `act` does, or rejects with the signal's reason once that is aborted: an act under way is then left alone, and the caller cleans up after it.
 */
export function unlessAborted<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const abandon = (): void => reject(signal.reason)
    signal.addEventListener('abort', abandon, { once: true })
    act()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abandon))
  })
}
