/** Adds an item to the next batch. */
export type AddToBatch<Item> = (item: Item) => void

/**
 * Runs items in batches, one batch at a time: items that arrive during a run form the next one. Nothing waits for the clock.
 * @param run never rejects
 * @param idle called when nothing is left
 */
export function createBatches<Item>(
  run: (items: readonly Item[]) => Promise<void>,
  most: number,
  idle: () => void = () => undefined,
): AddToBatch<Item> {
  const waiting: Item[] = []
  let running = false
  const runAll = async (): Promise<void> => {
    while (waiting.length > 0) await run(waiting.splice(0, most))
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
