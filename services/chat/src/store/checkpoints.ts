import type { Generation, Progress } from './entities.ts'
import type { GenerationStore, Lease } from './generation-store.ts'

/** Far less than the time between two checkpoints of an answer; hundreds of answers then share one write. Milliseconds. */
const gatherMs = 50
/** Writes at once: more than one, so that one that hangs does not hold up the others. */
const mostWrites = 2

/** An answer's progress so far, by the owner of its lease. */
export interface Checkpoint {
  readonly id: string
  readonly lease: Lease
  readonly progress: Progress | undefined
}

/** What the store has beside a saved checkpoint. */
export type SavedCheckpoint = Pick<Generation, 'stop'>

/** How an engine saves checkpoints. */
export interface CheckpointWriter {
  /** Saves those whose owner still has the lease, and resolves to them by `checkpointKey`. */
  save(checkpoints: readonly Checkpoint[]): Promise<ReadonlyMap<string, SavedCheckpoint>>
  /** Whether an error is the fault of a single checkpoint: then each is saved by itself, so that it harms no other. */
  isFaultOfOne(error: unknown): boolean
}

interface Waiting {
  checkpoint: Checkpoint
  readonly callers: Pick<PromiseWithResolvers<SavedCheckpoint | undefined>, 'resolve' | 'reject'>[]
}

/** Identifies the checkpoints of an answer by one owner, of which only the latest is saved. */
export const checkpointKey = (id: string, owner: string): string => `${owner} ${id}`

/**
 * Saves checkpoints that come together in one write. While `mostWrites` are under way they are gathered for the next one: a slow store gets fewer and larger
 * writes instead of more at once. No timer is left while nothing waits.
 */
export function createCheckpoints({ save, isFaultOfOne }: CheckpointWriter): GenerationStore['checkpoint'] {
  let waiting = new Map<string, Waiting>()
  const saveAll = async (batch: ReadonlyMap<string, Waiting>): Promise<void> => {
    try {
      const saved = await save([...batch.values()].map(({ checkpoint }) => checkpoint))
      for (const [key, { callers }] of batch) for (const { resolve } of callers) resolve(saved.get(key))
    } catch (error) {
      if (batch.size > 1 && isFaultOfOne(error)) {
        await Promise.all([...batch].map((entry) => saveAll(new Map([entry]))))
      } else for (const { callers } of batch.values()) for (const { reject } of callers) reject(error)
    }
  }
  let writes = 0
  let isDue = false
  const flush = (): void => {
    isDue = writes === mostWrites
    if (isDue) return
    const batch = waiting
    waiting = new Map()
    writes += 1
    void saveAll(batch).finally(() => {
      writes -= 1
      if (isDue) flush()
    })
  }
  return (id, lease, progress) =>
    new Promise((resolve, reject) => {
      if (waiting.size === 0) setTimeout(flush, gatherMs)
      const key = checkpointKey(id, lease.owner)
      const checkpoint = { id, lease, progress }
      const entry = waiting.get(key) ?? { checkpoint, callers: [] }
      entry.checkpoint = checkpoint
      entry.callers.push({ resolve, reject })
      waiting.set(key, entry)
    })
}
