import type { Clock } from '@parley/kit'
import type { ChatStore } from '../store/chat-store.ts'
import type { Chat } from '../store/documents.ts'
import type { PlannedChat } from './import-plan.ts'
import { readImport } from './import-reader.ts'

/** Chats that are stored at once. */
const atOnce = 8

/** What importing uses. */
export interface ImportDeps {
  readonly chats: Pick<ChatStore, 'addWhole'>
  readonly now: Clock
}

/** The chats that an import made, how many it passed over, as they are there already or say nothing, and the ids of all that are there now. */
export interface Imported {
  readonly chats: readonly Chat[]
  readonly skipped: number
  readonly ids: readonly string[]
}

/**
 * Imports every chat of a file: one chat or a list of them. A chat that was imported before is passed over for as long as it can be restored; one that was
 * deleted for good comes back.
 * @param file as it came, in JSON
 * @throws AppError validation_failed for a file of an unknown kind, with nothing imported, or one with too much in it
 */
export async function importChats({ chats, now }: ImportDeps, ownerId: string, file: Uint8Array): Promise<Imported> {
  const made: Chat[] = []
  const ids: string[] = []
  let found = 0
  let planned: PlannedChat[] = []
  const store = async (): Promise<void> => {
    const added = await Promise.all(planned.map(({ chat, messages }) => chats.addWhole(chat, messages)))
    ids.push(...planned.map(({ chat }) => chat.id))
    made.push(...planned.filter((_plan, nth) => added[nth]).map(({ chat }) => chat))
    planned = []
  }
  for await (const plan of readImport({ bytes: file, ownerId, at: now() })) {
    found += 1
    if (plan !== undefined) planned.push(plan)
    if (planned.length === atOnce) await store()
  }
  await store()
  return { chats: made, skipped: found - made.length, ids }
}
