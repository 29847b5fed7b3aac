import { chatRoutes } from '@parley/contracts'
import { mount, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import { userOf } from '../callers.ts'
import type { Parts } from '../parts.ts'

/** Removing the signed-in user's chats, and undoing it. An answer that runs in a removed chat is stopped. */
export function addRemovalRoutes(router: IRouter, parts: Parts): void {
  const { stores, stopper, changes, timing, now } = parts
  const { chats } = stores
  const remove = async (ownerId: string, selection: readonly string[] | 'all'): Promise<readonly string[]> => {
    const removed = await chats.remove(ownerId, selection, now())
    if (removed.length > 0) await stopper.stopAll({ chatIds: removed }, 'user')
    await changes.deleted(ownerId, removed)
    return removed
  }
  mount(router, chatRoutes.remove, async ({ principal, params }) => {
    const removed = await remove(userOf(principal).ownerId, [params.id])
    if (removed.length === 0) throw notFound()
    return { body: { message: 'Chat deleted' } }
  })
  mount(router, chatRoutes.restore, async ({ principal, params }) => {
    const { ownerId } = userOf(principal)
    const since = new Date(now().getTime() - timing.restoreMs)
    if (!(await chats.restore(params.id, ownerId, since))) throw notFound()
    const chat = await chats.find(params.id, ownerId)
    if (chat !== undefined) await changes.updated(chat)
    return { body: { chatId: params.id } }
  })
  mount(router, chatRoutes.bulkRemove, async ({ principal, body }) => {
    const deleted = new Set(await remove(userOf(principal).ownerId, body.ids))
    const asked = [...new Set(body.ids)]
    return {
      body: {
        deleted: asked.filter((id) => deleted.has(id)),
        notFound: asked.filter((id) => !deleted.has(id)),
        // Other users' chats are answered like missing ones.
        unauthorized: [],
      },
    }
  })
  mount(router, chatRoutes.clear, async ({ principal }) => {
    const removed = await remove(userOf(principal).ownerId, 'all')
    return { body: { deleted: removed.length } }
  })
}
