import { authInternalRoutes, type ServiceName } from '@parley/contracts'
import { isAppError } from '../errors/app-error.ts'
import type { NewId } from '../ids.ts'
import type { ServiceClient } from './service-client.ts'

/** A file for the ZIP of a data export. */
export interface ExportFile {
  /** Within the ZIP, as the contract allows it. */
  readonly path: string
  /** Text or bytes in pieces of any size; read as it is sent. */
  readonly content: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
}

/** The service, and the export that it contributes to. */
export interface ExportContribution {
  readonly client: Pick<ServiceClient, 'call'>
  readonly service: ServiceName
  readonly exportId: string
  readonly newId: NewId
  /** Ends it, with a call that runs. */
  readonly signal?: AbortSignal
}

interface Piece {
  readonly path: string
  readonly piece: number
  readonly data: string
}

const pieceBytes = 1024 * 1024
const callBytes = 3 * pieceBytes
const piecesPerCall = 1_000
const callMs = 30_000

/**
 * Sends all files of a service to auth, with at most 4 MB in memory. Also succeeds when the export is no longer expected.
 * Replaces the contribution of an earlier attempt, so it may be called again.
 * @throws AppError `unavailable` when auth cannot be reached; errors of `files`; the reason of `signal`
 */
export async function contributeToExport(
  { client, service, exportId, newId, signal }: ExportContribution,
  files: Iterable<ExportFile> | AsyncIterable<ExportFile>,
): Promise<void> {
  const run = newId()
  let call = 0
  let [pieces, bytes]: [Piece[], number] = [[], 0]
  const send = async (last: boolean): Promise<boolean> => {
    signal?.throwIfAborted()
    const body = { service, run, call, pieces, last }
    const isWanted = await client
      .call(authInternalRoutes.contributeToExport, {
        ...{ params: { id: exportId }, body, timeoutMs: callMs },
        ...(signal && { signal }),
      })
      .then(() => true)
      .catch((error: unknown) => {
        if (isAppError(error, 'not_found')) return false
        throw error
      })
    call += 1
    ;[pieces, bytes] = [[], 0]
    return isWanted
  }
  // The first call sends no data, so that nothing is read for an export that is over.
  if (!(await send(false))) return
  for await (const { path, content } of files) {
    let piece = 0
    for await (const part of inPieces(content)) {
      if ((bytes + part.length > callBytes || pieces.length === piecesPerCall) && !(await send(false))) return
      pieces.push({ path, piece, data: part.toString('base64') })
      bytes += part.length
      piece += 1
    }
  }
  await send(true)
}

/** The same bytes in pieces that have one size, but for the last one; an empty one of nothing. */
async function* inPieces(content: ExportFile['content']): AsyncGenerator<Buffer> {
  let [parts, length]: [Buffer[], number] = [[], 0]
  for await (const chunk of content) {
    let rest =
      typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    while (length + rest.length > pieceBytes) {
      const room = pieceBytes - length
      yield Buffer.concat([...parts, rest.subarray(0, room)])
      rest = rest.subarray(room)
      ;[parts, length] = [[], 0]
    }
    parts.push(rest)
    length += rest.length
  }
  yield Buffer.concat(parts)
}

/** Rows as the content of a JSON file: an array with a line for each, read as it is sent. */
export async function* jsonLines(rows: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '['
  for await (const row of rows) {
    yield `${separator}\n${JSON.stringify(row)}`
    separator = ','
  }
  yield separator === '[' ? '[]\n' : '\n]\n'
}
