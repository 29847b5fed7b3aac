import { setImmediate as breathe } from 'node:timers/promises'
import { AppError, type Clock } from '@parley/kit'
import type { ChatStore } from '../store/chat-store.ts'
import type { Chat } from '../store/documents.ts'
import { type PlannedChat, planImport } from './import-plan.ts'
import { asObject, type ReadSource, type SourceChat } from './imported-chat.ts'
import { readChatGpt } from './read-chatgpt.ts'
import { readLibreChat } from './read-librechat.ts'
import { readParley } from './read-parley.ts'

const readers: Readonly<Record<string, ReadSource>> = {
  parley: readParley,
  chatgpt: readChatGpt,
  librechat: readLibreChat,
}

/** More than these are refused. */
const maxChats = 10_000
const maxMessages = 100_000
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
 * @throws AppError validation_failed for a file of an unknown kind, with nothing imported, or one with too much in it
 */
export async function importChats({ chats, now }: ImportDeps, ownerId: string, file: unknown): Promise<Imported> {
  const sources = readSources(file)
  const made: Chat[] = []
  const ids: string[] = []
  for (let from = 0; from < sources.length; from += atOnce) {
    const planned: PlannedChat[] = []
    for (const { kind, source } of sources.slice(from, from + atOnce)) {
      const plan = planImport(ownerId, kind, source, now())
      if (plan !== undefined) planned.push(plan)
      // Others have their turn between two long chats.
      await breathe()
    }
    const added = await Promise.all(planned.map(({ chat, messages }) => chats.addWhole(chat, messages)))
    ids.push(...planned.map(({ chat }) => chat.id))
    made.push(...planned.filter((_plan, nth) => added[nth]).map(({ chat }) => chat))
  }
  return { chats: made, skipped: sources.length - made.length, ids }
}

function readSources(file: unknown): readonly { readonly kind: string; readonly source: SourceChat }[] {
  const values = Array.isArray(file) ? file : [file]
  if (values.length > maxChats) throw tooMuch()
  const sources = values.map(readSource)
  const count = sources.reduce((total, { source }) => total + source.messages.length, 0)
  if (count > maxMessages) throw tooMuch()
  return sources
}

function readSource(value: unknown): { kind: string; source: SourceChat } {
  for (const [kind, read] of Object.entries(readers)) {
    const source = read(asObject(value))
    if (source !== undefined) return { kind, source }
  }
  throw new AppError(
    'validation_failed',
    'This file cannot be imported. It has to be a JSON export of a chat from here, or an export of ChatGPT or LibreChat.',
  )
}

const tooMuch = (): AppError =>
  new AppError(
    'validation_failed',
    `This file is too large to import: it may hold ${maxChats} chats and ${maxMessages} messages.`,
  )
