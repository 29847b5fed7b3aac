import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { chatRoutes } from '@parley/contracts'
import { AppError, mountBytes, mountStream, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import { userOf } from '../callers.ts'
import type { ChatStores } from '../store/index.ts'
import { exportJson } from '../transfer/export-json.ts'
import { exportMarkdown } from '../transfer/export-markdown.ts'
import { offeredAs } from '../transfer/file-name.ts'
import { importChats } from '../transfer/importer.ts'
import type { ChatRoutesDeps } from './chat-routes.ts'

/** What the routes of files of chats use. */
export interface TransferRoutesDeps extends Omit<ChatRoutesDeps, 'newId' | 'stores'> {
  readonly stores: Pick<ChatStores, 'chats' | 'messages'>
}

const kinds = {
  json: { write: exportJson, type: 'application/json; charset=utf-8' },
  md: { write: exportMarkdown, type: 'text/markdown; charset=utf-8' },
} as const

/** Imported chats that other windows are told of; they look for the others themselves. */
const toldAtMost = 50
/** Ids that an answer names. */
const namedAtMost = 50

/** Chats as files: out and in. */
export function addTransferRoutes(router: IRouter, { stores, changes, quota, now }: TransferRoutesDeps): void {
  const { chats, messages } = stores
  mountStream(router, chatRoutes.exportChat, async ({ principal, params, query: { format } }, response) => {
    const chat = await chats.find(params.id, userOf(principal).ownerId)
    if (chat === undefined) throw notFound()
    const { write, type } = kinds[format]
    response.setHeader('content-type', type)
    response.setHeader('content-disposition', offeredAs(chat.title, format))
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('cache-control', 'private, no-store')
    await pipeline(Readable.from(write(messages, chat)), response)
  })
  mountBytes(router, chatRoutes.importChats, async ({ principal, body }) => {
    const { ownerId } = userOf(principal)
    const imported = await importChats({ chats, quota, now }, ownerId, body)
    await changes.imported(ownerId, imported.chats.slice(-toldAtMost))
    if (imported.refusal !== undefined) throw endedEarly(imported.refusal, imported.chats.length)
    const chatIds = imported.ids.slice(0, namedAtMost)
    return { body: { imported: imported.chats.length, skipped: imported.skipped, chatIds } }
  })
}

const endedEarly = ({ code, message }: AppError, imported: number): AppError =>
  new AppError(
    code,
    `${message} Until then ${imported} chats of this file were imported; bring it again for the others.`,
  )
