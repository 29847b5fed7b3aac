import { type ChatUsage, defaultSettings, type Settings } from '@parley/contracts'
import { AppError, createKeyedLimiter, type LiveSettings, withTimeout } from '@parley/kit'
import type { UsageStore } from '../store/usage-store.ts'
import { sizeText } from './size-text.ts'

type InPlace = <Result>(act: () => Promise<Result>) => Promise<Result>

/** Bounds on what an account stores. Lowering them removes nothing; guests store nothing. */
export type Quota = ReturnType<typeof createQuota>

/** Chats of one account that may wait to be added. */
const additionsWaiting = 200

/** Bounds by the settings, or the last known ones, or the defaults while they were never known. */
export function createQuota({ usage, settings }: { usage: Pick<UsageStore, 'of'>; settings: LiveSettings }) {
  const additions = createKeyedLimiter(1, additionsWaiting)
  const read = async (ownerId: string): Promise<ChatUsage> => {
    const [{ chats, bytes }, limits] = await Promise.all([usage.of(ownerId), limitsOf(settings)])
    return {
      chats: { used: chats, limit: limits.maxChatsPerUser || null },
      bytes: { used: bytes, limit: limits.maxBytesPerUser || null },
    }
  }
  return {
    read,
    /**
     * Runs acts that add a chat one at a time per account, so that concurrent ones do not all see the last place free.
     * @param inPlace runs the check and the act once it is their turn, such as in a place of a limiter, which those that wait for their turn do not take
     * @throws AppError conflict when the account has as many chats as it may keep, payload_too_large when it has no room for another byte,
     * unavailable when too many wait
     */
    addChat<Result>(ownerId: string, add: () => Promise<Result>, inPlace: InPlace = (act) => act()): Promise<Result> {
      const checkAndAdd = async () => {
        const storage = await read(ownerId)
        refuse(tooManyChats(storage, 1) ?? tooManyBytes(storage, 1))
        return await add()
      }
      return additions.run(ownerId, () => inPlace(checkAndAdd))
    },
    /** @throws AppError payload_too_large when the account has no room for this many more bytes; at least one */
    refuseBytes: async (ownerId: string, bytes = 1) => refuse(tooManyBytes(await read(ownerId), bytes)),
    /** The room left for one act that adds much, which counts it down. */
    async allot(ownerId: string) {
      let { chats, bytes } = await read(ownerId)
      return {
        /** Takes room for another chat of this many bytes; resolves to the reason when there is none. */
        takeChat(more: number): AppError | undefined {
          const refusal = tooManyChats({ chats, bytes }, 1) ?? tooManyBytes({ chats, bytes }, more)
          chats = { ...chats, used: chats.used + 1 }
          bytes = { ...bytes, used: bytes.used + more }
          return refusal
        },
      }
    },
  }
}

/** Milliseconds that the settings may take. */
const settingsMs = 250

async function limitsOf(settings: LiveSettings): Promise<Settings['storage']> {
  // A bound degrades: while auth is unavailable the last known one holds, and no send waits long for it.
  const known = await withTimeout(settingsMs, settings.current()).catch(() => settings.lastKnown())
  return (known ?? defaultSettings).storage
}

function refuse(refusal: AppError | undefined): void {
  if (refusal !== undefined) throw refusal
}

function tooManyChats({ chats: { used, limit } }: ChatUsage, more: number): AppError | undefined {
  if (limit === null || used + more <= limit) return undefined
  return new AppError(
    'conflict',
    `An account can have ${limit.toLocaleString('en')} chats, and you have ${used.toLocaleString('en')}. Please delete chats you no longer need.`,
  )
}

function tooManyBytes({ bytes: { used, limit } }: ChatUsage, more: number): AppError | undefined {
  if (limit === null || used + more <= limit) return undefined
  return new AppError(
    'payload_too_large',
    `Your storage is full: ${sizeText(used)} of ${sizeText(limit)} used. Please delete chats you no longer need; their space is freed soon after.`,
  )
}
