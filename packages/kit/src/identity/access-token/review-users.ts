import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds for which rights may stay unknown, and between two attempts to read them. */
const unknownMs = 30_000
const retryMs = 1_000
/** Users about whom auth is asked concurrently. */
const usersAtOnce = 50

/**
 * Reviews what users have open after signals may have been missed. While auth is unavailable, it stays open for up to 30 s.
 * @param decide closes what a user may no longer have; resolves to what could not be decided
 * @param close closes what is still undecided then
 */
export async function reviewUsers<T>(
  userIds: Iterable<string>,
  decide: (userId: string) => Promise<readonly T[]>,
  close: (undecided: T) => void,
): Promise<void> {
  const deadline = performance.now() + unknownMs
  let users = [...userIds]
  while (users.length > 0) {
    const isLast = performance.now() > deadline
    const undecided: string[] = []
    for (let from = 0; from < users.length; from += usersAtOnce) {
      const decideOne = async (userId: string): Promise<void> => {
        const open = await decide(userId)
        if (isLast) open.forEach(close)
        else if (open.length > 0) undecided.push(userId)
      }
      await Promise.all(users.slice(from, from + usersAtOnce).map(decideOne))
    }
    users = undecided
    if (users.length > 0) await delay(retryMs, undefined, { ref: false })
  }
}
