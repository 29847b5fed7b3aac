import { validationFailed } from '@parley/kit'
import type { MemoryDocument } from './store/documents.ts'

type Place = Pick<MemoryDocument, 'id' | 'createdAt'>

/** The last one of the page before. @throws AppError validation_failed for a cursor that no list gave out */
export function readCursor(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const [, time, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(cursor) ?? []
  if (time === undefined || id === undefined) throw validationFailed([{ path: 'cursor', message: 'Unknown cursor' }])
  return { id, createdAt: new Date(Number(time)) }
}

/** The first `limit` of those found, of which one more was asked for, and where the next page begins. */
export function pageOf<Doc extends Place>(found: readonly Doc[], limit: number) {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const nextCursor = found.length > limit && last ? `${last.createdAt.getTime()}.${last.id}` : null
  return { items, nextCursor }
}
