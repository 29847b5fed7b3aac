import type { ImportEvent } from '@parley/contracts'
import { createLimiter, unavailable } from '@parley/kit'

/** Jobs that run at once, by how large their files are: a large one is read in a thread, whose memory the container has once. */
const atOnce = { small: 2, large: 1 } as const
/** Jobs of each size that may wait. */
const mostWaiting = 100

/** How far a job has come: parts that are done of those that there are. */
export type ImportProgress = Extract<ImportEvent, { progress: unknown }>['progress']

/** The work of a job; `onProgress` reports its progress, and `signal` ends it early. */
export type Work<R> = (onProgress: (progress: ImportProgress) => void, signal: AbortSignal) => Promise<R>

/** Runs a job, or follows the replica that runs it already. */
export type Share<R> = (key: string, work: Work<R>, ...run: Parameters<Work<R>>) => Promise<R>

/** An import under way. */
type ImportJob<R> = ReturnType<typeof begin<R>>

/**
 * Runs jobs of this process, a few at once. They outlive the calls which began them, so that another call can take part in them.
 * @param share shares them with other replicas
 */
export function createImportJobs<R>(share: Share<R> = (_key, work, ...run) => work(...run)) {
  const running = new Map<string, ImportJob<R>>()
  const places = { small: createLimiter(atOnce.small, mostWaiting), large: createLimiter(atOnce.large, mostWaiting) }
  const stopping = new AbortController()
  return {
    /** Whether a job with this key exists. */
    has: (key: string): boolean => running.has(key),
    /** Takes part in the job of this key, which is begun unless it runs already. */
    join(key: string, size: keyof typeof atOnce, work: Work<R>): ImportJob<R> {
      const existing = running.get(key)
      if (existing !== undefined) return existing
      const inPlace: Work<R> = (onProgress, signal) =>
        places[size].run(() => {
          signal.throwIfAborted()
          return work(onProgress, signal)
        })
      const begun = begin<R>((onProgress) => share(key, inPlace, onProgress, stopping.signal))
      running.set(key, begun)
      const forget = () => void running.delete(key)
      // Its outcome goes to all callers that joined it.
      begun.result.then(forget, forget)
      return begun
    },
    /** Ends what runs, by a reason that says to come again, and resolves once it has ended. */
    async stop(): Promise<void> {
      stopping.abort(unavailable())
      await Promise.allSettled([...running.values()].map(({ result }) => result))
    },
  }
}

function begin<R>(work: (onProgress: (progress: ImportProgress) => void) => Promise<R>) {
  let latest: ImportProgress | undefined
  let isOver = false
  let changed = Promise.withResolvers<void>()
  const wake = () => {
    const { resolve } = changed
    changed = Promise.withResolvers()
    resolve()
  }
  const result = work((progress) => {
    latest = progress
    wake()
  }).finally(() => {
    isOver = true
    wake()
  })
  return {
    result,
    /** The current progress and every change of it, until the job ends. A slow reader skips outdated values. */
    async *progress(): AsyncGenerator<ImportProgress> {
      let seen: ImportProgress | undefined
      for (;;) {
        if (latest !== undefined && latest !== seen) {
          seen = latest
          yield latest
        } else if (isOver) return
        else await changed.promise
      }
    },
  }
}
