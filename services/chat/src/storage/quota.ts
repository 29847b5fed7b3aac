import { type ChatUsage, defaultSettings, type Settings } from '@parley/contracts'
import { AppError, type LiveSettings, withTimeout } from '@parley/kit'
import type { UsageStore } from '../store/usage-store.ts'
import { sizeText } from './size-text.ts'

/** Bounds on what an account stores. Lowering them removes nothing; guests store nothing. */
export type Quota = ReturnType<typeof createQuota>

/** The room of an account while chats are added to it. */
interface Adding {
  readonly allotment: Promise<Allotment>
  underWay: number
}

/** Room left for what is added, which it counts down. */
interface Allotment {
  /** Takes room for another chat of this many bytes; resolves to the reason when there is none. */
  takeChat(more: number): AppError | undefined
}

/** Bounds by the settings, or the last known ones, or the defaults while they were never known. */
export function createQuota({ usage, settings }: { usage: Pick<UsageStore, 'of'>; settings: LiveSettings }) {
  const adding = new Map<string, Adding>()
  const read = async (ownerId: string): Promise<ChatUsage> => {
    const [{ chats, bytes }, limits] = await Promise.all([usage.of(ownerId), limitsOf(settings)])
    return {
      chats: { used: chats, limit: limits.maxChatsPerUser || null },
      bytes: { used: bytes, limit: limits.maxBytesPerUser || null },
    }
  }
  const allot = async (ownerId: string): Promise<Allotment> => {
    let { chats, bytes } = await read(ownerId)
    return {
      takeChat(more) {
        const refusal = tooManyChats({ chats, bytes }, 1) ?? tooManyBytes({ chats, bytes }, more)
        chats = { ...chats, used: chats.used + 1 }
        bytes = { ...bytes, used: bytes.used + more }
        return refusal
      },
    }
  }
  return {
    read,
    /**
     * Runs an act that adds a chat. While several are under way for an account, the room that the first one found is counted down, so that they do not all
     * see the last place free; one that fails keeps its place until the others have ended.
     * @throws AppError conflict when the account has as many chats as it may keep, payload_too_large when it has no room for another byte
     */
    async addChat<Result>(ownerId: string, add: () => Promise<Result>): Promise<Result> {
      const own = adding.get(ownerId) ?? { allotment: allot(ownerId), underWay: 0 }
      adding.set(ownerId, own)
      own.underWay += 1
      try {
        refuse((await own.allotment).takeChat(1))
        return await add()
      } finally {
        own.underWay -= 1
        if (own.underWay === 0) adding.delete(ownerId)
      }
    },
    /** @throws AppError payload_too_large when the account has no room for this many more bytes; at least one */
    refuseBytes: async (ownerId: string, bytes = 1) => refuse(tooManyBytes(await read(ownerId), bytes)),
    /** The room left for one act that adds much. */
    allot,
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
