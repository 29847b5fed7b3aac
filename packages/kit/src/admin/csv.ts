import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'

/** A list as a table, read as it is sent. */
export interface Csv {
  /** Of the file, without its extension. */
  readonly name: string
  /** Fields of the rows, in order; they are the header too. */
  readonly columns: readonly string[]
  readonly pages: AsyncIterable<readonly object[]> | Iterable<readonly object[]>
}

/** Sends a list as a CSV file. One that cannot be read from the beginning is refused like every call; a reader that leaves ends it. */
export async function sendCsv(response: Response, csv: Csv): Promise<void> {
  const lines = csvText(csv)
  const first = await lines.next()
  response.setHeader('content-type', 'text/csv; charset=utf-8')
  response.setHeader('content-disposition', `attachment; filename="${csv.name}.csv"`)
  response.write(first.value)
  try {
    await pipeline(Readable.from(lines), response)
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}

/** The text of a table by RFC 4180, a page at a time; the first piece has the header and the first page. */
export async function* csvText({ columns, pages }: Csv): AsyncGenerator<string, void> {
  let text = lineOf(columns)
  for await (const rows of pages) {
    for (const row of rows) text += lineOf(columns.map((column) => (row as Record<string, unknown>)[column]))
    if (text !== '') yield text
    text = ''
  }
  if (text !== '') yield text
}

const lineOf = (values: readonly unknown[]): string => `${values.map(cellOf).join(',')}\r\n`

/** Empty for null, JSON for nested values. A text that a spreadsheet would take for a formula gets a leading apostrophe. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r|]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
