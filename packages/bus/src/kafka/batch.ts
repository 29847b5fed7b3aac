import { pause, withTimeout } from '@parley/kit'
import type { EachBatchPayload, KafkaMessage } from 'kafkajs'
import { defaultKeysAtOnce, inOrderPerKey } from '../in-order-per-key.ts'

/** Between two signs of life, each with a commit of what has been handled. */
const tickMs = 250
/** Until a broker that does not answer a sign of life counts as away: after a cut the library may wait for ever. */
const answerMs = 10_000

/** Handles one record, at a position `topic/partition/offset`; resolves to whether it is done with, false when it was stopped before. */
export type HandleRecord = (message: KafkaMessage, position: string, stopping: AbortSignal) => Promise<boolean>

export interface BatchTask {
  /** Aborted, with the reason, when this member has to let go of its partitions. */
  readonly membership: AbortController
  readonly handle: HandleRecord
  /** Handlers at once in a partition. */
  readonly keysAtOnce?: number | undefined
}

/**
 * Handles the records of one fetch from a partition, in order per key, and commits as far as all are done with. When the membership ends it
 * starts nothing that lies beyond what has been started: so it can commit all that it did, and the next owner repeats none of it.
 * @throws the reason for which the membership ended, once the running handlers have ended
 */
export async function handleBatch(
  payload: EachBatchPayload,
  { membership, handle, keysAtOnce = defaultKeysAtOnce }: BatchTask,
): Promise<void> {
  const { batch } = payload
  const { signal } = membership
  const progress = createProgress(batch.messages.length)
  const ticking = new AbortController()
  // Keys with a record that is not done with, which the later ones wait for.
  const stuck = new Set<string>()
  const act = async ({ message, index }: Item): Promise<void> => {
    const key = keyOf(message)
    if (stuck.has(key) || (signal.aborted && index > progress.furthest)) return
    progress.start(index)
    const place = `${batch.topic}/${batch.partition}/${message.offset}`
    stuck.add(key)
    if (!(await handle(message, place, signal))) return
    stuck.delete(key)
    progress.finish(index)
  }
  const tick = async (): Promise<void> => {
    while (!ticking.signal.aborted) {
      await pause(tickMs, ticking.signal)
      await attempt(membership, () => withTimeout(answerMs, payload.heartbeat()))
      await attempt(membership, () => withTimeout(answerMs, commit(payload, progress)))
    }
  }
  const ticks = tick()
  const items = batch.messages.map((message, index) => ({ message, index }))
  await inOrderPerKey(
    items,
    ({ message }) => keyOf(message),
    keysAtOnce,
    (item) => attempt(membership, () => act(item)),
  )
  // The last tick commits the rest.
  ticking.abort()
  await ticks
  if (signal.aborted) throw signal.reason
}

interface Item {
  readonly message: KafkaMessage
  readonly index: number
}

/** Records without a key belong to no aggregate: they are handled in one order. */
const keyOf = ({ key }: KafkaMessage): string => key?.toString() ?? ''

/** A failure of the engine ends the membership: uncommitted records are delivered again. */
async function attempt(membership: AbortController, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    membership.abort(error)
  }
}

async function commit(payload: EachBatchPayload, progress: Progress): Promise<void> {
  const { topic, partition, messages } = payload.batch
  const last = messages[progress.done - 1]
  if (last === undefined || progress.done === progress.committed) return
  const done = progress.done
  payload.resolveOffset(last.offset)
  const offset = String(BigInt(last.offset) + 1n)
  await payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset }] }] })
  progress.committed = done
}

type Progress = ReturnType<typeof createProgress>

function createProgress(count: number) {
  const finished = new Array<boolean>(count).fill(false)
  let furthest = -1
  let done = 0
  return {
    committed: 0,
    /** Index of the last record that has been started; -1 before the first. */
    get furthest() {
      return furthest
    },
    /** How many records from the first on are done with. */
    get done() {
      return done
    },
    start(index: number): void {
      furthest = Math.max(furthest, index)
    },
    finish(index: number): void {
      finished[index] = true
      while (finished[done] === true) done += 1
    },
  }
}
