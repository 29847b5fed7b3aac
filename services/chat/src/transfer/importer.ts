import type { AppError, Clock } from '@parley/kit'
import type { Quota } from '../storage/quota.ts'
import type { ChatStore } from '../store/chat-store.ts'
import type { Chat } from '../store/entities.ts'
import type { ImportProgress } from './import-jobs.ts'
import type { PlannedChat } from './import-plan.ts'
import { readImport } from './import-reader.ts'

/** Chats that are stored at once. */
const atOnce = 8

export interface ImportDeps {
  readonly chats: Pick<ChatStore, 'add' | 'find' | 'findMany' | 'restore'>
  readonly quota: Pick<Quota, 'allot'>
  readonly now: Clock
  /** Milliseconds for which a deleted chat can be restored. */
  readonly restoreMs: number
}

/** The chats that an import made or restored, how many it passed over, as they are there already or say nothing, and the ids of all that are there now. */
export interface Imported {
  readonly chats: readonly Chat[]
  readonly skipped: number
  readonly ids: readonly string[]
  /** Why the rest of the file was left out, when the account had no room for it. */
  readonly refusal?: AppError
}

/** Reports the progress of an import in chats of the file, and what ends it early: it continues from there when the file comes again. */
export interface ImportRun {
  readonly onProgress: (progress: ImportProgress) => void
  readonly signal: AbortSignal
}

/**
 * Imports every chat of a file: one chat or a list of them. A chat that was imported before is skipped, one that was deleted since then is restored, and
 * one that was deleted for good is imported again. The import ends when the account has no room for the next chats.
 * @param file as it came, in JSON
 * @throws AppError validation_failed for a file of an unknown kind, with nothing imported, or one with too much in it, and why it was ended early
 */
export async function importChats(
  { chats, quota, now, restoreMs }: ImportDeps,
  ownerId: string,
  file: Uint8Array,
  { onProgress, signal }: ImportRun,
): Promise<Imported> {
  const allotment = await quota.allot(ownerId)
  const take = async (planned: readonly PlannedChat[]): Promise<AppError | undefined> => {
    const ids = planned.map(({ chat }) => chat.id)
    const there = new Set((await chats.findMany(ownerId, ids)).map(({ id }) => id))
    for (const { chat, messages } of planned) {
      const refusal = there.has(chat.id) ? undefined : allotment.takeChat(bytesOf(messages))
      if (refusal !== undefined) return refusal
    }
  }
  const add = async ({ chat, messages }: PlannedChat): Promise<Chat | undefined> => {
    if (await chats.add(chat, messages)) return chat
    const since = new Date(now().getTime() - restoreMs)
    return (await chats.restore(chat.id, ownerId, since)) ? await chats.find(chat.id, ownerId) : undefined
  }
  const made: Chat[] = []
  const ids: string[] = []
  let total = 0
  let found = 0
  let planned: PlannedChat[] = []
  const store = async (): Promise<AppError | undefined> => {
    const refusal = await take(planned)
    if (refusal !== undefined) return refusal
    const added = await Promise.all(planned.map(add))
    ids.push(...planned.map(({ chat }) => chat.id))
    made.push(...added.filter((chat) => chat !== undefined))
    planned = []
    onProgress({ done: found, total })
    signal.throwIfAborted()
  }
  const begin = (count: number) => {
    total = count
    onProgress({ done: 0, total })
  }
  for await (const plan of readImport({ bytes: file, ownerId, at: now() }, { found: begin })) {
    found += 1
    if (plan !== undefined) planned.push(plan)
    const refusal = planned.length === atOnce ? await store() : undefined
    if (refusal !== undefined) return { chats: made, skipped: 0, ids, refusal }
  }
  const refusal = await store()
  if (refusal !== undefined) return { chats: made, skipped: 0, ids, refusal }
  return { chats: made, skipped: found - made.length, ids }
}

const bytesOf = (messages: PlannedChat['messages']): number =>
  messages.reduce((sum, { content, reasoning }) => sum + Buffer.byteLength(content) + Buffer.byteLength(reasoning), 0)
