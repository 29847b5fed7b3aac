import { createBatches } from './batches.ts'
import type { Progress, StopReason } from './documents.ts'
import type { GenerationStore, Lease } from './generation-store.ts'

/** Far less than the time between two checkpoints of an answer; hundreds of answers then share one write. Milliseconds. */
const gatherMs = 50

/** An answer's progress so far, by the owner of its lease. */
export interface Checkpoint {
  readonly id: string
  readonly lease: Lease
  readonly progress: Progress | undefined
}

/** What the store has beside a saved checkpoint. */
export interface SavedCheckpoint {
  readonly stop: StopReason | null
}

/** How an engine saves checkpoints. */
export interface CheckpointWriter {
  /** Saves those whose owner still has the lease, and resolves to them by `checkpointKey`. */
  save(checkpoints: readonly Checkpoint[]): Promise<ReadonlyMap<string, SavedCheckpoint>>
  /** Whether an error is the fault of a single checkpoint, so that the others are saved without it. */
  isFaultOfOne(error: unknown): boolean
}

/** Identifies the checkpoints of an answer by one owner, of which only the latest is saved. */
export const checkpointKey = (id: string, owner: string): string => `${owner} ${id}`

/** Saves checkpoints that come together in one write. */
export function createCheckpoints({ save, isFaultOfOne }: CheckpointWriter): GenerationStore['checkpoint'] {
  const batched = createBatches<Checkpoint, SavedCheckpoint>({ gatherMs, run: save, isFaultOfOne })
  return (id, lease, progress) => batched(checkpointKey(id, lease.owner), { id, lease, progress })
}
