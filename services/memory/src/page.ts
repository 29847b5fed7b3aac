import { validationFailed } from '@parley/kit'
import type { MemoryDocument } from './store/documents.ts'

type Place = Pick<MemoryDocument, 'id' | 'createdAt'>

/** Decodes the last item of the previous page. @throws AppError validation_failed for a malformed cursor */
export function readCursor(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const [, time, id] = /^(-?\d{1,15})\.([\w-]{1,64})$/.exec(cursor) ?? []
  if (time === undefined || id === undefined) throw validationFailed([{ path: 'cursor', message: 'Unknown cursor' }])
  return { id, createdAt: new Date(Number(time)) }
}

/** The page and its next cursor. @param found up to `limit` + 1 items */
export function pageOf<Doc extends Place>(found: readonly Doc[], limit: number) {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const nextCursor = found.length > limit && last ? `${last.createdAt.getTime()}.${last.id}` : null
  return { items, nextCursor }
}
