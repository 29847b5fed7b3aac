import type { chatRoutes } from '@parley/contracts'
import { validationFailed } from '@parley/kit'
import type { z } from 'zod'
import { fold } from '../search/search-text.ts'
import type { FileMeta, FilePlace, FileStore } from '../store/file-store.ts'
import { presentAttachment } from './attachment.ts'

/** The requested part of the list: of the files whose names have the words of `query`, in any case. */
export type FilesRequest = z.output<typeof chatRoutes.files.query & {}>
type FilesPage = z.output<typeof chatRoutes.files.answer & {}>

/** Files read at once for a search, and looked through for one page of it: however many there are, a page costs no more. */
const [readAtOnce, mostLookedAt] = [200, 1_000]

/**
 * A page of an owner's files that were sent with messages, newest first. Names are compared here and not by the engines, which differ in it.
 * @throws AppError validation_failed for a cursor that no list gave out
 */
export async function listFiles(
  files: Pick<FileStore, 'sent'>,
  ownerId: string,
  { query = '', limit, cursor }: FilesRequest,
): Promise<FilesPage> {
  const words = fold(query).split(' ').filter(Boolean)
  const atOnce = words.length === 0 ? limit + 1 : readAtOnce
  const found: FileMeta[] = []
  let looked = 0
  let last = readCursor(cursor)
  while (looked < mostLookedAt) {
    const some = await files.sent(ownerId, last, atOnce)
    for (const file of some) {
      const isFound = hasWords(file.name, words)
      // One more tells whether anything follows.
      if (isFound && found.length === limit) return pageOf(found, last)
      if (isFound) found.push(file)
      last = file
    }
    if (some.length < atOnce) return pageOf(found, undefined)
    looked += some.length
  }
  return pageOf(found, last)
}

/** Whether a name has each of the folded words. */
function hasWords(name: string, words: readonly string[]): boolean {
  const folded = fold(name)
  return words.every((word) => folded.includes(word))
}

/** Some files of a list, and where the next ones are; null behind the last one. */
const pageOf = (found: readonly FileMeta[], last: FilePlace | undefined): FilesPage => ({
  files: found.map((meta) => ({ ...presentAttachment(meta, meta), createdAt: meta.createdAt.toISOString() })),
  nextCursor: last === undefined ? null : `${last.createdAt.getTime()}.${last.id}`,
})

function readCursor(cursor: string | undefined): FilePlace | undefined {
  if (cursor === undefined) return undefined
  const [, time, id = ''] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(cursor) ?? []
  if (time === undefined) throw validationFailed([{ path: 'cursor', message: 'Unknown cursor' }])
  return { id, createdAt: new Date(Number(time)) }
}
