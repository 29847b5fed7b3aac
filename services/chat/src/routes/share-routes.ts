import { chatShareRoutes } from '@parley/contracts'
import { createLimiter, mount, mountStream, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import type { Parts } from '../parts.ts'
import { copyChat } from '../sharing/copy-chat.ts'
import { snapshotOf } from '../sharing/snapshot.ts'

/** Snapshots that are read at once, each of several megabytes, and that may wait. */
const [snapshotsAtOnce, snapshotsWaiting] = [2, 500]

/** Routes for share: what may be shown of a chat, whether it still exists, and a copy for another user. */
export function addShareRoutes(router: IRouter, parts: Parts): void {
  const { stores, files, models } = parts
  const { chats, messages } = stores
  const limiter = createLimiter(snapshotsAtOnce, snapshotsWaiting)
  mount(router, chatShareRoutes.snapshot, async ({ params, body: { userId, messageIds }, requestId }) => {
    const chat = await chats.find(params.id, userId)
    if (chat === undefined) throw notFound('Chat not found.')
    const [snapshot, modelName] = await Promise.all([
      limiter.run(() => snapshotOf(messages, chat, messageIds)),
      models.nameOf(chat.modelUsed, requestId),
    ])
    return { body: { ...snapshot, modelName } }
  })
  mount(router, chatShareRoutes.known, async ({ body: { userId, ids } }) => ({
    body: { ids: (await chats.findMany(userId, ids)).map(({ id }) => id) },
  }))
  mountStream(router, chatShareRoutes.image, async ({ params: { id, fileId }, query: { userId } }, response) => {
    const [chat, made] = await Promise.all([chats.find(id, userId), files.findMade(userId, fileId)])
    if (chat === undefined || made === undefined) throw notFound()
    const { mimeType, bytes } = await files.read(userId, fileId, 'full')
    response.type(mimeType).end(await bytes())
  })
  mount(router, chatShareRoutes.copy, async ({ body }) => ({ body: { chatId: await copyChat(parts, body) } }))
}
