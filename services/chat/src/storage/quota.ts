import { defaultSettings, type Settings } from '@parley/contracts'
import { AppError, createKeyedLimiter, type LiveSettings, withTimeout } from '@parley/kit'
import type { UsageStore } from '../store/usage-store.ts'
import { sizeText } from './size-text.ts'

/** What an account keeps and may keep; a limit of null is none. */
export interface Storage {
  readonly chats: { readonly used: number; readonly limit: number | null }
  readonly bytes: { readonly used: number; readonly limit: number | null }
}

/** What is left for one act that adds much, counted along by it. */
export interface Allotment {
  /** Takes room for another chat with so many bytes; resolves to why there is none. */
  takeChat(bytes: number): AppError | undefined
}

/** Bounds on what an account keeps. What is there stays when they are lowered; a guest keeps nothing. */
export interface Quota {
  read(ownerId: string): Promise<Storage>
  /**
   * Does what adds a chat, of one account one after the other, so that many at once do not all see the last place free.
   * @throws AppError conflict when the account has as many chats as it may keep, payload_too_large when it has no room for another byte,
   * unavailable when too many wait
   */
  addChat<Result>(ownerId: string, add: () => Promise<Result>): Promise<Result>
  /** @throws AppError payload_too_large when the account has no room for so many bytes more; at least one */
  refuseBytes(ownerId: string, bytes?: number): Promise<void>
  allot(ownerId: string): Promise<Allotment>
}

/** Chats of one account that may wait to be added. */
const additionsWaiting = 200

/** Bounds by the settings, or the last known ones, or the defaults while they were never known. */
export function createQuota({ usage, settings }: { usage: Pick<UsageStore, 'of'>; settings: LiveSettings }): Quota {
  const additions = createKeyedLimiter(1, additionsWaiting)
  const read = async (ownerId: string): Promise<Storage> => {
    const [{ chats, bytes }, limits] = await Promise.all([usage.of(ownerId), limitsOf(settings)])
    return {
      chats: { used: chats, limit: limits.maxChatsPerUser || null },
      bytes: { used: bytes, limit: limits.maxBytesPerUser || null },
    }
  }
  return {
    read,
    addChat: (ownerId, add) =>
      additions.run(ownerId, async () => {
        const storage = await read(ownerId)
        refuse(tooManyChats(storage, 1) ?? tooManyBytes(storage, 1))
        return await add()
      }),
    refuseBytes: async (ownerId, bytes = 1) => refuse(tooManyBytes(await read(ownerId), bytes)),
    async allot(ownerId) {
      const storage = await read(ownerId)
      let [chats, bytes] = [0, 0]
      return {
        takeChat(more) {
          chats += 1
          bytes += more
          return tooManyChats(storage, chats) ?? tooManyBytes(storage, bytes)
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

function tooManyChats({ chats: { used, limit } }: Storage, more: number): AppError | undefined {
  if (limit === null || used + more <= limit) return undefined
  return new AppError(
    'conflict',
    `An account can have ${limit.toLocaleString('en')} chats, and you have ${used.toLocaleString('en')}. Please delete chats you no longer need.`,
  )
}

function tooManyBytes({ bytes: { used, limit } }: Storage, more: number): AppError | undefined {
  if (limit === null || used + more <= limit) return undefined
  return new AppError(
    'payload_too_large',
    `Your storage is full: ${sizeText(used)} of ${sizeText(limit)} used. Please delete chats you no longer need; their space is freed soon after.`,
  )
}
