import { type Kysely, sql, type Transaction } from 'kysely'
import type { AuthTables } from '../tables.ts'

/** Total size of the pieces of one export, in bytes. */
const mostBytes = 100 * 1024 * 1024
/** Number of files in one export; bounded since a ZIP lists them at its end. */
const mostPieces = 30_000

/** A part of a file, as a service contributes it. */
export interface NewPiece {
  readonly path: string
  readonly piece: number
  readonly data: Buffer
}

/**
 * Keeps pieces of a service, in place of the same ones that came before. A file that does not fit into 100 MB or 30,000 pieces any more is left
 * out as a whole: only its name is kept then.
 */
export async function keepPieces(
  tx: Transaction<AuthTables>,
  of: { readonly exportId: string; readonly service: string },
  pieces: readonly NewPiece[],
): Promise<void> {
  if (pieces.length === 0) return
  await forget(tx, of, pieces)
  const leftOut = await pathsLeftOut(tx, of, pieces)
  let { bytes, count } = await present(tx, of.exportId)
  const rows = pieces.map(({ path, piece, data }) => {
    const fits = bytes + data.length <= mostBytes && count < mostPieces && !leftOut.has(path)
    if (!fits) leftOut.add(path)
    else {
      bytes += data.length
      count += 1
    }
    return { export_id: of.exportId, service: of.service, path, piece, data: fits ? data : null }
  })
  await tx.insertInto('data_export_pieces').values(rows).execute()
  if (leftOut.size > 0) await empty(tx, of, [...leftOut])
}

/** The names of files that were left out, the first `limit` of them, and how many there are. */
export async function filesLeftOut(
  db: Kysely<AuthTables>,
  exportId: string,
  limit: number,
): Promise<{ names: readonly string[]; count: number }> {
  const found = await sql<{ path: string; count: number }>`
    select path, count(*) over () as count from (
      select distinct path from data_export_pieces where export_id = ${exportId} and data is null
    ) as missing order by path collate "C" limit ${limit}
  `.execute(db)
  return { names: found.rows.map(({ path }) => path), count: found.rows[0]?.count ?? 0 }
}

type Of = { readonly exportId: string; readonly service: string }
type Names = readonly Pick<NewPiece, 'path' | 'piece'>[]

const forget = async (tx: Transaction<AuthTables>, { exportId, service }: Of, pieces: Names) =>
  await sql`
    delete from data_export_pieces where export_id = ${exportId} and service = ${service} and (path, piece) in (
      select * from unnest(${pieces.map(({ path }) => path)}::text[], ${pieces.map(({ piece }) => piece)}::integer[])
    )
  `.execute(tx)

async function pathsLeftOut(tx: Transaction<AuthTables>, { exportId, service }: Of, pieces: Names) {
  const found = await tx
    .selectFrom('data_export_pieces')
    .select('path')
    .distinct()
    .where('export_id', '=', exportId)
    .where('service', '=', service)
    .where('path', '=', sql<string>`any(${[...new Set(pieces.map(({ path }) => path))]})`)
    .where('data', 'is', null)
    .execute()
  return new Set(found.map(({ path }) => path))
}

async function present(tx: Transaction<AuthTables>, exportId: string): Promise<{ bytes: number; count: number }> {
  const found = await sql<{ bytes: number; count: number }>`
    select coalesce(sum(length(data)), 0)::bigint as bytes, count(data) as count
    from data_export_pieces where export_id = ${exportId}
  `.execute(tx)
  return found.rows[0] ?? { bytes: 0, count: 0 }
}

/** Earlier pieces of these files are useless. */
const empty = async (tx: Transaction<AuthTables>, { exportId, service }: Of, paths: readonly string[]) =>
  await tx
    .updateTable('data_export_pieces')
    .set({ data: null })
    .where('export_id', '=', exportId)
    .where('service', '=', service)
    .where('path', '=', sql<string>`any(${[...paths]})`)
    .where('data', 'is not', null)
    .execute()
