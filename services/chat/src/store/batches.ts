/** Gathers acts on single things for a short time and runs them as one. */
export type Batched<Item, Result> = (key: string, item: Item) => Promise<Result | undefined>

interface Waiting<Item, Result> {
  item: Item
  readonly callers: { resolve(result: Result | undefined): void; reject(error: unknown): void }[]
}

/** How acts are run together. */
export interface BatchOptions<Item, Result> {
  /** Milliseconds from the first act to the run. */
  readonly gatherMs: number
  /** Runs them; the results by key, none for an act that came to nothing. */
  readonly run: (items: readonly Item[]) => Promise<ReadonlyMap<string, Result>>
  /** True for an error that is the fault of one of the acts: then each is run by itself, so that it harms no other. */
  readonly isFaultOfOne: (error: unknown) => boolean
}

/** One more than one, so that a run that hangs does not hold up the others. */
const mostRuns = 2

/**
 * Of several acts with one key only the last is run, for all callers. While two runs are under way acts are gathered for the next one: a slow store gets
 * fewer and larger runs instead of more at once. No timer is left while nothing waits.
 */
export function createBatches<Item, Result>(options: BatchOptions<Item, Result>): Batched<Item, Result> {
  let waiting = new Map<string, Waiting<Item, Result>>()
  const runAll = async (batch: ReadonlyMap<string, Waiting<Item, Result>>): Promise<void> => {
    try {
      const results = await options.run([...batch.values()].map(({ item }) => item))
      for (const [key, { callers }] of batch) for (const { resolve } of callers) resolve(results.get(key))
    } catch (error) {
      if (batch.size > 1 && options.isFaultOfOne(error)) {
        await Promise.all([...batch].map((entry) => runAll(new Map([entry]))))
      } else for (const { callers } of batch.values()) for (const { reject } of callers) reject(error)
    }
  }
  let running = 0
  let isDue = false
  const flush = (): void => {
    isDue = running === mostRuns
    if (isDue) return
    const batch = waiting
    waiting = new Map()
    running += 1
    void runAll(batch).finally(() => {
      running -= 1
      if (isDue) flush()
    })
  }
  return (key, item) =>
    new Promise((resolve, reject) => {
      if (waiting.size === 0) setTimeout(flush, options.gatherMs)
      const entry = waiting.get(key) ?? { item, callers: [] }
      entry.item = item
      entry.callers.push({ resolve, reject })
      waiting.set(key, entry)
    })
}
