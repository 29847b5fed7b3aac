import { newId, pause } from '@parley/kit'
import { isDuplicateKey } from './duplicate-key.ts'
import type { MongoDatabase } from './open-mongo.ts'

/** A holder that died keeps others out for this long. Milliseconds. */
const holdMs = 10_000
const renewMs = holdMs / 4

interface Lock {
  readonly _id: string
  readonly owner: string
  /** By the server's clock. */
  readonly until: Date
}

/**
 * Rights that one replica has at a time: locks as documents of the collection `locks`, each with its holder and its expiry, which the holder keeps
 * extending. A holder that hangs for longer than that loses the lock without notice: work under it must tolerate being done twice.
 */
export function openMongoLocks(database: Pick<MongoDatabase, 'collection' | 'time'>) {
  const locks = () => database.collection<Lock>('locks')
  const held = new Set<string>()
  const until = async (): Promise<Date> => new Date((await database.time()).latest.getTime() + holdMs)
  const take = async (name: string, owner: string): Promise<boolean> => {
    const { earliest } = await database.time()
    const mine = { owner, until: await until() }
    const taken = await (await locks()).updateOne({ _id: name, until: { $lt: earliest } }, { $set: mine })
    if (taken.matchedCount > 0) return true
    try {
      await (await locks()).insertOne({ _id: name, ...mine })
      return true
    } catch (error) {
      if (isDuplicateKey(error)) return false
      throw error
    }
  }
  const extend = async (name: string, owner: string): Promise<void> => {
    await (await locks()).updateOne({ _id: name, owner }, { $set: { until: await until() } })
  }
  const keep = async (name: string, owner: string, signal: AbortSignal): Promise<void> => {
    for (await pause(renewMs, signal); !signal.aborted; await pause(renewMs, signal)) {
      // Away: the next round tries again, and if the lock is lost meanwhile the work is only done twice.
      await extend(name, owner).catch(() => undefined)
    }
  }
  const giveUp = async (owners: readonly string[]): Promise<void> => {
    if (owners.length > 0) await (await locks()).deleteMany({ owner: { $in: [...owners] } })
  }
  return {
    /** Runs `work` while no other holder runs any under this name; resolves to false when one does. */
    async run(name: string, work: () => Promise<void>): Promise<boolean> {
      const owner = newId()
      if (!(await take(name, owner))) return false
      held.add(owner)
      const done = new AbortController()
      const kept = keep(name, owner, done.signal)
      try {
        await work()
      } finally {
        done.abort()
        await kept
        held.delete(owner)
        // A lock that cannot be given back runs out.
        await giveUp([owner]).catch(() => undefined)
      }
      return true
    },
    /** Releases all locks held, even while work under them continues. A lock that cannot be released expires. */
    release: () => giveUp([...held]).catch(() => undefined),
  }
}
