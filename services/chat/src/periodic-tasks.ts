import { every, type Periodic } from '@parley/kit'
import type { Parts } from './parts.ts'

const hourMs = 60 * 60 * 1000
/** Keys of sends are honoured for this long. */
const sendMs = 24 * hourMs
/** Longer than any window of an allowance. */
const guestBucketMs = 8 * 24 * hourMs

/** Cleaning and recovery, each in its own period: no job waits for another one. */
export function createPeriodicTasks({ stores, lease, sweeper, timing, now, log }: Parts): Periodic[] {
  const ago = (ms: number): Date => new Date(now().getTime() - ms)
  const { checkpointMs, sweepMs, reconcileMs, tidyMs } = timing
  const removeChats = async (): Promise<void> => {
    const before = ago(timing.restoreMs)
    // A chat's files are released while they can still be found through it.
    await stores.files.release(before, now())
    await stores.chats.purge(before)
  }
  const removeFiles = async (): Promise<void> => {
    await stores.files.confirm(ago(timing.confirmMs), now())
    await stores.files.purge(now())
  }
  const indexMessages = async (stopping: AbortSignal): Promise<void> => {
    const before = ago(timing.searchAfterMs)
    while (!stopping.aborted && (await stores.search.index(before)) > 0);
  }
  const jobs: [name: string, ms: number, run: (stopping: AbortSignal) => Promise<unknown>][] = [
    ['say that this replica lives', checkpointMs, () => stores.abandoned.keepAlive(lease)],
    ['end abandoned answers', sweepMs, sweeper.end],
    ['settle abandoned answers', sweepMs, sweeper.settle],
    ['remove chats', reconcileMs, removeChats],
    ['remove files', reconcileMs, removeFiles],
    ['recount what accounts keep', reconcileMs, () => stores.usage.recount(now())],
    ['index messages', reconcileMs, indexMessages],
    ['remove keys of sends', tidyMs, () => stores.sends.purge(ago(sendMs))],
    ['remove allowances of guests', tidyMs, () => stores.guests.purge(ago(guestBucketMs))],
    ['remove answers of guests', tidyMs, () => stores.abandoned.purgeExpired(now())],
  ]
  // The first one begins now and the others spread over their periods, so that they seldom take a connection each at the same time.
  return jobs.map(([name, ms, run], nth) => every(ms, run, { name, firstMs: (ms * nth) / jobs.length, log }))
}
