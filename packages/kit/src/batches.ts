/** Adds an item to the next batch. */
export type AddToBatch<Item> = (item: Item) => void

/** How batches are made. */
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
 * @param run never rejects
 */
export function createBatches<Item>(
  run: (items: readonly Item[]) => Promise<void>,
  { most, gatherMs = 0, idle = () => undefined }: BatchOptions,
): AddToBatch<Item> {
  const waiting: Item[] = []
  let running = false
  const runAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const items = waiting.splice(0, most)
      await run(items)
      if (gatherMs > 0 && items.length > 1) await new Promise((resolve) => setTimeout(resolve, gatherMs))
    }
    running = false
    idle()
  }
  return (item) => {
    waiting.push(item)
    if (running) return
    running = true
    // After everything else in the present turn of the event loop.
    setImmediate(() => void runAll())
  }
}
