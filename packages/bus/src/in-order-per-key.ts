/** Keys at once, unless a subscription tells. */
export const defaultKeysAtOnce = 4

/** Runs `act` on all items, one at a time and in order for items of one key, at most `concurrency` keys at once. */
export async function inOrderPerKey<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  concurrency: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const queues = Map.groupBy(items, keyOf).values()
  const work = async (): Promise<void> => {
    // The workers share one iterator, so each queue is taken once.
    for (const queue of queues) for (const item of queue) await act(item)
  }
  await Promise.all(Array.from({ length: concurrency }, work))
}
