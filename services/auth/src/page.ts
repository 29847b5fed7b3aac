import { validationFailed } from '@parley/kit'

/** A page of rows that are counted through by `seq`, newest first. */
export interface Page {
  readonly limit: number
  /** `seq` of the last row of the page before. */
  readonly before: number | undefined
}

/** @throws AppError validation_failed for a cursor that no list gave out */
export function readPage({ limit, cursor }: { limit: number; cursor?: string | undefined }): Page {
  if (cursor === undefined) return { limit, before: undefined }
  if (!/^\d{1,15}$/.test(cursor)) throw validationFailed([{ path: 'cursor', message: 'Unknown cursor' }])
  return { limit, before: Number(cursor) }
}

/** The cursor after these rows; null when they did not fill the page. */
export const nextCursor = (rows: readonly { readonly seq: number }[], { limit }: Page): string | null =>
  rows.length < limit ? null : String(rows.at(-1)?.seq)
