import type { z } from 'zod'
import { validationFailed } from '../http/mount.ts'
import type { Csv } from './csv.ts'

/** A row's position in a list: its number, preceded by the value that the list is sorted by, as text. */
export interface Place {
  readonly seq: number
  readonly value?: string
}
export interface Page {
  readonly limit: number
  /** The last row of the page before. */
  readonly after: Place | undefined
}
/** The rows of a page, and behind which row there may be more. */
export interface Listed<Row> {
  readonly rows: readonly Row[]
  readonly next: Place | undefined
}

/** @throws AppError validation_failed for a cursor that no list gave out */
export function readPage({ limit, cursor }: { limit: number; cursor?: string | undefined }): Page {
  if (cursor === undefined) return { limit, after: undefined }
  const [, seq, text] = /^(\d{1,15})(?:\.([\w-]{0,180}))?$/.exec(cursor) ?? []
  const value = text === undefined ? undefined : Buffer.from(text, 'base64url').toString()
  if (seq === undefined || value?.includes('\0')) throw unknownCursor()
  return { limit, after: { seq: Number(seq), ...(value !== undefined && { value }) } }
}

/** A 400 for a cursor that no list gave out. */
export const unknownCursor = () => validationFailed([{ path: 'cursor', message: 'Unknown cursor' }])

/** A page of these rows; there are no more when they do not fill it. */
export const listed = <Row extends Place>(rows: readonly Row[], { limit }: Page): Listed<Row> => ({
  rows,
  next: rows.length < limit ? undefined : rows.at(-1),
})

/** The cursor of what comes behind a row. */
export function cursorOf(next: Place | undefined): string | null {
  if (next === undefined) return null
  return next.value === undefined ? String(next.seq) : `${next.seq}.${Buffer.from(next.value).toString('base64url')}`
}

interface ListQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly format?: 'json' | 'csv' | undefined
}
/** A list of admins: its name in the answer and of the file, what its rows are, and how a page of it is had. */
interface ListSource<Name extends string, Row> {
  readonly name: Name
  readonly row: z.ZodObject
  readonly list: (page: Page) => Promise<Listed<Row>>
}
type ListAnswer<Name extends string, Row> = { [N in Name]: Row[] } & { nextCursor: string | null }

/** A page of a list as JSON, or all of it as CSV, as requested. */
export async function answerList<Name extends string, Row extends object>(
  query: ListQuery,
  { name, row, list }: ListSource<Name, Row>,
): Promise<{ body: ListAnswer<Name, Row> } | { csv: Csv }> {
  if (query.format === 'csv') return { csv: { name, columns: Object.keys(row.shape), pages: everyPage(list) } }
  const { rows, next } = await list(readPage(query))
  return { body: { [name]: [...rows], nextCursor: cursorOf(next) } as ListAnswer<Name, Row> }
}

const csvPage = 200

async function* everyPage<Row>(list: (page: Page) => Promise<Listed<Row>>): AsyncGenerator<readonly Row[]> {
  let page: Page = { limit: csvPage, after: undefined }
  do {
    const { rows, next } = await list(page)
    yield rows
    page = { ...page, after: next }
  } while (page.after !== undefined)
}

/** A list that does not grow, as JSON or CSV. */
export const answerWhole = <Name extends string, Row extends object>(
  { format }: Pick<ListQuery, 'format'>,
  { name, row }: Omit<ListSource<Name, Row>, 'list'>,
  rows: readonly Row[],
): { body: { [N in Name]: Row[] } } | { csv: Csv } =>
  format === 'csv'
    ? { csv: { name, columns: Object.keys(row.shape), pages: [rows] } }
    : { body: { [name]: [...rows] } as { [N in Name]: Row[] } }
