/** Runs `run` once, a little later; answers a function that takes it back. */
export type Schedule = (run: () => void) => () => void

/** Once per animation frame; five times a second while nobody looks, where there are no frames. */
export const onNextFrame: Schedule = (run) => {
  if (document.visibilityState === 'hidden') {
    const timer = setTimeout(run, 200)
    return () => clearTimeout(timer)
  }
  const frame = requestAnimationFrame(run)
  return () => cancelAnimationFrame(frame)
}

/** Collects items and hands them over together, so that many events cost one rendering. */
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
    /** Forgets what was not handed over yet. */
    drop: () => {
      waiting = []
      flush()
    },
  }
}
