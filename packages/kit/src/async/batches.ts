/** An item of a batch, and how its caller gets the result. */
export interface Batched<Item, Result> {
  readonly item: Item
  resolve(result: Result | PromiseLike<Result>): void
  reject(error: unknown): void
}

/** Adds an item to the next batch. Resolves to its result. */
export type AddToBatch<Item, Result> = (item: Item) => Promise<Result>

export interface BatchOptions {
  /** Items of one batch. */
  readonly most: number
  /**
   * Milliseconds that are waited after a batch of several, as more are on their way then and a batch costs about the same whatever its size; none unless
   * told. A lone item is followed at once.
   */
  readonly gatherMs?: number
  /** Called when nothing is left. */
  readonly idle?: () => void
}

/**
 * Runs items in batches, one batch at a time: items that arrive during a run form the next one.
 * @param run never rejects, and settles each item
 */
export function createBatches<Item, Result = void>(
  run: (batch: readonly Batched<Item, Result>[]) => Promise<void>,
  { most, gatherMs = 0, idle = () => undefined }: BatchOptions,
): AddToBatch<Item, Result> {
  const waiting: Batched<Item, Result>[] = []
  let running = false
  const runAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most)
      await run(batch)
      if (gatherMs > 0 && batch.length > 1) await new Promise((resolve) => setTimeout(resolve, gatherMs))
    }
    running = false
    idle()
  }
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (running) return
      running = true
      // After everything else in the present turn of the event loop.
      setImmediate(() => void runAll())
    })
}
