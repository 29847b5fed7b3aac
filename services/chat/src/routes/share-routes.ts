import { chatShareRoutes } from '@parley/contracts'
import { type Clock, createLimiter, mount, mountStream, type NewId, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import type { ChatChanges } from '../changes.ts'
import type { Files } from '../files/files.ts'
import type { ModelDirectory } from '../model-directory.ts'
import { copyChat } from '../sharing/copy-chat.ts'
import { snapshotOf } from '../sharing/snapshot.ts'
import type { Quota } from '../storage/quota.ts'
import type { ChatStores } from '../store/index.ts'

export interface ShareRoutesDeps {
  readonly stores: Pick<ChatStores, 'chats' | 'messages'>
  readonly files: Pick<Files, 'findMade' | 'read'>
  readonly models: Pick<ModelDirectory, 'nameOf'>
  readonly quota: Quota
  readonly changes: ChatChanges
  readonly now: Clock
  readonly newId: NewId
}

/** Snapshots that are read at once, each of several megabytes, and that may wait. */
const [snapshotsAtOnce, snapshotsWaiting] = [2, 200]

/** Routes for share: what may be shown of a chat, whether it still exists, and a copy for another user. */
export function addShareRoutes(router: IRouter, deps: ShareRoutesDeps): void {
  const { stores, files, models } = deps
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
  mount(router, chatShareRoutes.copy, async ({ body }) => ({ body: { chatId: await copyChat(deps, body) } }))
}
