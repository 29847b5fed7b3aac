import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as breathe } from 'node:timers/promises'
import { chatRoutes, type ImportEvent, type ImportOutcome, streamEnd } from '@parley/contracts'
import {
  AppError,
  actingUser,
  eventStreamHeaders,
  mountBytes,
  mountStream,
  type StreamFrame,
  writeEventStream,
} from '@parley/kit'
import type { IRouter } from 'express'
import { userOf } from '../callers.ts'
import { ownChat } from '../refusals.ts'
import { bytesAtOnce } from '../store/message-store.ts'
import { exportJson } from '../transfer/export-json.ts'
import { exportMarkdown } from '../transfer/export-markdown.ts'
import { offeredAs } from '../transfer/file-name.ts'
import type { ImportProgress } from '../transfer/import-jobs.ts'
import { smallImport } from '../transfer/import-reader.ts'
import { importChats } from '../transfer/importer.ts'
import { importFailure } from '../transfer/shared-imports.ts'
import type { HeldBody } from './body-memory.ts'
import { holdUntilTaken } from './downloads.ts'
import { bodyInUse } from './large-bodies.ts'
import type { RouteParts } from './route-parts.ts'

const kinds = {
  json: { write: exportJson, type: 'application/json; charset=utf-8' },
  md: { write: exportMarkdown, type: 'text/markdown; charset=utf-8' },
} as const

/** Bytes of a file that are digested in one turn. */
const digestedAtOnce = 4 * 1024 * 1024
/** Ids that an answer names. */
const namedAtMost = 50

/** Chats as files: out and in. */
export function addTransferRoutes(router: IRouter, deps: RouteParts): void {
  const { stores, changes, imports } = deps
  const { chats, messages } = stores
  mountStream(router, chatRoutes.exportChat, async ({ principal, params, query: { format } }, response) => {
    const chat = await ownChat(chats, params.id, userOf(principal).ownerId)
    const { write, type } = kinds[format]
    response.setHeader('content-type', type)
    response.setHeader('content-disposition', offeredAs(chat.title, format))
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('cache-control', 'private, no-store')
    const held = holdUntilTaken(deps.downloadMemory, actingUser(principal).network, response)
    await pipeline(Readable.from(counted(write(messages, chat), held)), response)
  })
  mountBytes(router, chatRoutes.importChats, async ({ principal, query, body, headers }, response) => {
    const { ownerId } = userOf(principal)
    const size = body.byteLength > smallImport ? 'large' : 'small'
    const join = async () => {
      const key = `${ownerId} ${await digestOf(body)}`
      const isBegunHere = !imports.has(key)
      const job = imports.join(key, size, async (...run) => {
        const imported = await importChats(deps, ownerId, body, ...run)
        await changes.several(ownerId, imported.chats)
        if (imported.refusal !== undefined) throw endedEarly(imported.refusal, imported.chats.length)
        const chatIds = imported.ids.slice(0, namedAtMost)
        return { imported: imported.chats.length, skipped: imported.skipped, chatIds }
      })
      return { job, isBegunHere }
    }
    const joining = join()
    const ended = joining.then(({ job, isBegunHere }) => (isBegunHere ? job.result : undefined))
    response.locals[bodyInUse] = ended.catch(() => undefined)
    const { job } = await joining
    if (!headers.accept?.includes('text/event-stream')) {
      const { chatIds, ...counted } = await job.result
      return { body: { ...counted, ...(query.chatIds && { chatIds }) } }
    }
    const progress = job.progress()
    // A file that is refused is refused with its status.
    const first = await progress.next()
    if (first.done) await job.result
    for (const [name, value] of Object.entries(eventStreamHeaders)) response.setHeader(name, value)
    await writeEventStream(response, importEvents(job.result, first.value ?? undefined, progress))
    return undefined
  })
}

/** Counts the messages that are read at once in an export, and more if one of them alone is longer. */
async function* counted(pieces: AsyncIterable<string>, { add }: Pick<HeldBody, 'add'>): AsyncGenerator<string> {
  let most = bytesAtOnce
  add(most)
  for await (const piece of pieces) {
    add(Math.max(0, piece.length - most))
    most = Math.max(most, piece.length)
    yield piece
  }
}

/** SHA-256 in parts, so that other requests do not wait for a large file. */
async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let from = 0; from < bytes.length; from += digestedAtOnce) {
    if (from > 0) await breathe()
    hash.update(bytes.subarray(from, from + digestedAtOnce))
  }
  return hash.digest('hex')
}

const endedEarly = ({ code, message }: AppError, imported: number): AppError =>
  new AppError(
    code,
    `${message} By then, ${imported} chats of this file had been imported. Import it again for the others.`,
  )

async function* importEvents(
  result: Promise<ImportOutcome>,
  first: ImportProgress | undefined,
  later: AsyncIterable<ImportProgress>,
): AsyncGenerator<StreamFrame> {
  const frame = (event: ImportEvent): StreamFrame => ({ data: JSON.stringify(event) })
  if (first !== undefined) yield frame({ progress: first })
  for await (const progress of later) yield frame({ progress })
  yield frame(await result.catch(importFailure))
  yield { data: streamEnd }
}
