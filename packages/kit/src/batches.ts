/** Adds an item to the next batch. */
export type AddToBatch<Item> = (item: Item) => void

/**
 * Runs what comes in together in batches, one at a time: what comes in during one is the next. Nothing waits for the clock.
 * @param run never rejects
 * @param idle told when nothing is left
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
    // Behind what the present turn of the event loop still brings.
    setImmediate(() => void runAll())
  }
}
