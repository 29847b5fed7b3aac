import { type AppError, unavailable } from '@parley/kit'
import type { Common } from '../common.ts'
import type { Quota } from '../storage/quota.ts'
import type { Chat } from '../store/entities.ts'
import type { ImportProgress } from './import-jobs.ts'
import type { PlannedChat } from './import-plan.ts'
import { readImport } from './import-reader.ts'

/** Chats that are stored at once. */
const atOnce = 8

export interface ImportDeps extends Pick<Common, 'stores' | 'timing' | 'now'> {
  readonly quota: Quota
}

/** The chats that an import made or restored, how many it passed over, as they are there already or say nothing, and the ids of all that are there now. */
export interface Imported {
  readonly chats: readonly Chat[]
  readonly skipped: number
  readonly ids: readonly string[]
  /** Why some of the file was left out: the account had no room for the rest, or chats of it are still being deleted. */
  readonly refusal?: AppError
}

/**
 * Imports every chat of a file: one chat or a list of them. A chat that was imported before is skipped, one that was deleted since then is restored, and
 * one that was deleted for good is imported again, once all of it is gone. The import ends when the account has no room for the next chats.
 * @param file as it came, in JSON
 * @param onProgress called with the number of chats, those of the file that are done and all
 * @param signal ends it early: it continues from there when the file comes again
 * @throws AppError validation_failed for a file of an unknown kind, with nothing imported, or one with too much in it, and why it was ended early
 */
export async function importChats(
  { stores: { chats }, timing, quota, now }: ImportDeps,
  ownerId: string,
  file: Uint8Array,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<Imported> {
  const allotment = await quota.allot(ownerId)
  /** Those of the planned chats that there is room for, and why not for the next one. */
  const take = async (planned: readonly PlannedChat[]) => {
    const ids = planned.map(({ chat }) => chat.id)
    const there = new Set((await chats.findMany(ownerId, ids)).map(({ id }) => id))
    for (const [nth, { chat, messages }] of planned.entries()) {
      const refusal = there.has(chat.id) ? undefined : allotment.takeChat(bytesOf(messages))
      if (refusal !== undefined) return { fitting: planned.slice(0, nth), refusal }
    }
    return { fitting: planned }
  }
  const add = async ({ chat, messages }: PlannedChat): Promise<Added> => {
    if (await chats.add(chat, messages)) return chat
    const since = new Date(now().getTime() - timing.restoreMs)
    const isRestored = await chats.restore(chat.id, ownerId, since)
    const there = await chats.find(chat.id, ownerId)
    return there === undefined ? 'leaving' : isRestored ? there : 'known'
  }
  const made: Chat[] = []
  const ids: string[] = []
  let leaving = 0
  let total = 0
  let found = 0
  let planned: PlannedChat[] = []
  const store = async (): Promise<AppError | undefined> => {
    const { fitting, refusal } = await take(planned)
    const added = await Promise.all(fitting.map(add))
    for (const [nth, { chat }] of fitting.entries()) {
      const one = added[nth]
      if (one === 'leaving') leaving += 1
      else ids.push(chat.id)
      if (typeof one === 'object') made.push(one)
    }
    if (refusal !== undefined) return refusal
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
  // Those that are leaving are gone shortly, and then imported with the file again.
  const refusal = (await store()) ?? (leaving > 0 ? unavailable() : undefined)
  if (refusal !== undefined) return { chats: made, skipped: 0, ids, refusal }
  return { chats: made, skipped: found - made.length, ids }
}

/** A chat that was made or restored. One that is known stays as it is; one that is leaving was deleted, and holds its ids until all of it is gone. */
type Added = Chat | 'known' | 'leaving'

const bytesOf = (messages: PlannedChat['messages']): number =>
  messages.reduce((sum, { content, reasoning }) => sum + Buffer.byteLength(content) + Buffer.byteLength(reasoning), 0)
