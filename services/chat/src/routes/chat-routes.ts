import { chatRoutes } from '@parley/contracts'
import { type Clock, mount, type NewId, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import { userOf } from '../callers.ts'
import type { Stopper } from '../generation/stopper.ts'
import type { ChatTiming } from '../generation/timing.ts'
import { presentChat, presentPage } from '../present.ts'
import type { Chat } from '../store/documents.ts'
import type { ChatStores } from '../store/index.ts'

/** What the routes of chats use. */
export interface ChatRoutesDeps {
  readonly stores: Pick<ChatStores, 'chats' | 'messages'>
  readonly stopper: Stopper
  readonly timing: ChatTiming
  readonly now: Clock
  readonly newId: NewId
}

/** The signed-in user's chats: list, read, make, rename, pin. */
export function addChatRoutes(router: IRouter, { stores, now, newId }: ChatRoutesDeps): void {
  const { chats, messages } = stores
  mount(router, chatRoutes.history, async ({ principal, query }) => {
    const words = query.query?.trim()
    const found = await chats.list(userOf(principal).ownerId, words === '' ? undefined : words)
    return { body: found.map(presentChat) }
  })
  mount(router, chatRoutes.create, async ({ principal, body }) => {
    const at = now()
    const title = body.title.trim()
    const chat: Chat = {
      id: newId(),
      ownerId: userOf(principal).ownerId,
      title,
      modelUsed: body.model,
      pinned: false,
      messageCount: 0,
      createdAt: at,
      updatedAt: at,
    }
    await chats.add(chat)
    const { createdAt, updatedAt } = presentChat(chat)
    return { body: { chatId: chat.id, title, model: body.model, createdAt, updatedAt } }
  })
  mount(router, chatRoutes.get, async ({ principal, params, query }) => {
    const chat = await chats.find(params.id, userOf(principal).ownerId)
    if (chat === undefined) throw notFound()
    const { before, limit } = query
    if (before === undefined) return { body: presentPage(chat, await messages.path(chat.id, 'newest', limit)) }
    const first = await messages.find(chat.id, before)
    if (first === undefined) throw notFound()
    const older = first.parentId === null ? [] : await messages.path(chat.id, first.parentId, limit)
    return { body: presentPage(chat, older) }
  })
  mount(router, chatRoutes.rename, async ({ principal, params, body }) => {
    const title = body.title.trim()
    if (!(await chats.change(params.id, userOf(principal).ownerId, { title }))) throw notFound()
    return { body: { chatId: params.id, title } }
  })
  mount(router, chatRoutes.pin, async ({ principal, params, body: { pinned } }) => {
    if (!(await chats.change(params.id, userOf(principal).ownerId, { pinned }))) throw notFound()
    return { body: { chatId: params.id, pinned } }
  })
}

/** Removing the signed-in user's chats, and undoing it. An answer that runs in a removed chat is stopped. */
export function addRemovalRoutes(router: IRouter, { stores, stopper, timing, now }: ChatRoutesDeps): void {
  const { chats } = stores
  const remove = async (ownerId: string, selection: readonly string[] | 'all'): Promise<readonly string[]> => {
    const removed = await chats.remove(ownerId, selection, now())
    if (removed.length > 0) await stopper.stopAll({ chatIds: removed }, 'user')
    return removed
  }
  mount(router, chatRoutes.remove, async ({ principal, params }) => {
    const removed = await remove(userOf(principal).ownerId, [params.id])
    if (removed.length === 0) throw notFound()
    return { body: { message: 'Chat deleted' } }
  })
  mount(router, chatRoutes.restore, async ({ principal, params }) => {
    const since = new Date(now().getTime() - timing.restoreMs)
    if (!(await chats.restore(params.id, userOf(principal).ownerId, since))) throw notFound()
    return { body: { chatId: params.id } }
  })
  mount(router, chatRoutes.bulkRemove, async ({ principal, body }) => {
    const deleted = new Set(await remove(userOf(principal).ownerId, body.ids))
    const asked = [...new Set(body.ids)]
    return {
      body: {
        deleted: asked.filter((id) => deleted.has(id)),
        notFound: asked.filter((id) => !deleted.has(id)),
        // Others' chats are told apart from missing ones nowhere.
        unauthorized: [],
      },
    }
  })
  mount(router, chatRoutes.clear, async ({ principal }) => {
    const removed = await remove(userOf(principal).ownerId, 'all')
    return { body: { deleted: removed.length } }
  })
}
