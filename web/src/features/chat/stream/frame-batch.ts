/** Runs `run` once, later; returns a function that cancels it. */
export type Schedule = (run: () => void) => () => void

/** Once per animation frame; five times a second in hidden tabs, which have no frames. */
export const onNextFrame: Schedule = (run) => {
  if (document.visibilityState === 'hidden') {
    const timer = setTimeout(run, 200)
    return () => clearTimeout(timer)
  }
  const frame = requestAnimationFrame(run)
  return () => cancelAnimationFrame(frame)
}

/** Batches items, so that many events cost one render. */
export function createFrameBatch<Item>(take: (items: readonly Item[]) => void, schedule: Schedule) {
  let waiting: Item[] = []
  let cancel: (() => void) | null = null
  const flush = () => {
    cancel?.()
    cancel = null
    if (waiting.length === 0) return
    const items = waiting
    waiting = []
    take(items)
  }
  return {
    push: (item: Item) => {
      waiting.push(item)
      cancel ??= schedule(flush)
    },
    flush,
    /** Discards pending items. */
    drop: () => {
      waiting = []
      flush()
    },
  }
}
