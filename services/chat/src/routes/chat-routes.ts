import { chatRoutes } from '@parley/contracts'
import { createLimiter, mount, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import { userOf } from '../callers.ts'
import { listChats } from '../history/list-chats.ts'
import type { Parts } from '../parts.ts'
import { presentChat } from '../present.ts'
import { searchChats } from '../search/search-chats.ts'
import type { Chat } from '../store/entities.ts'

/** Searches that are done at once, each of which reads texts, and that may wait. */
const [searchesAtOnce, searchesWaiting] = [4, 1_000]

/** The signed-in user's chats: list, make, rename, pin, archive. */
export function addChatRoutes(router: IRouter, { stores, changes, quota, now, newId }: Parts): void {
  const { chats } = stores
  const searches = createLimiter(searchesAtOnce, searchesWaiting)
  const change = async (id: string, ownerId: string, to: Parameters<typeof chats.change>[2]): Promise<void> => {
    if (!(await chats.change(id, ownerId, to))) throw notFound()
    const chat = await chats.find(id, ownerId)
    if (chat !== undefined) await changes.updated(chat)
  }
  mount(router, chatRoutes.usage, async ({ principal }) => ({ body: await quota.read(userOf(principal).ownerId) }))
  mount(router, chatRoutes.history, async ({ principal, query }) => {
    const { ownerId } = userOf(principal)
    const { query: words = '', pinnedFirst, ...part } = query
    const asked = words.trim()
    if (asked !== '') {
      const found = await searches.run(() => searchChats(stores, ownerId, asked, part))
      return { body: found.chats, headers: cursorHeader(found.nextCursor) }
    }
    const page = await listChats(chats, ownerId, { ...part, pinnedFirst })
    return { body: page.chats.map(presentChat), headers: cursorHeader(page.nextCursor) }
  })
  mount(router, chatRoutes.create, async ({ principal, body }) => {
    const { ownerId } = userOf(principal)
    const at = now()
    const title = body.title.trim()
    const chat: Chat = {
      id: newId(),
      ownerId,
      title,
      modelUsed: body.model,
      pinned: false,
      messageCount: 0,
      leafId: null,
      createdAt: at,
      updatedAt: at,
    }
    await quota.addChat(ownerId, () => chats.add(chat))
    await changes.updated(chat)
    const { createdAt, updatedAt } = presentChat(chat)
    return { body: { chatId: chat.id, title, model: body.model, createdAt, updatedAt } }
  })
  mount(router, chatRoutes.rename, async ({ principal, params, body }) => {
    const title = body.title.trim()
    await change(params.id, userOf(principal).ownerId, { title })
    return { body: { chatId: params.id, title } }
  })
  mount(router, chatRoutes.pin, async ({ principal, params, body: { pinned } }) => {
    await change(params.id, userOf(principal).ownerId, { pinned })
    return { body: { chatId: params.id, pinned } }
  })
  mount(router, chatRoutes.archive, async ({ principal, body }) => {
    const { ownerId } = userOf(principal)
    const moved = await chats.archive(ownerId, body.ids, body.archived)
    await changes.several(ownerId, moved)
    const there = new Set(moved.map(({ id }) => id))
    const asked = [...new Set(body.ids)]
    return { body: { changed: asked.filter((id) => there.has(id)), notFound: asked.filter((id) => !there.has(id)) } }
  })
  mount(router, chatRoutes.setMemory, async ({ principal, params, body: { enabled } }) => {
    await change(params.id, userOf(principal).ownerId, { memoryOff: !enabled })
    return { body: { chatId: params.id, enabled } }
  })
}

/** The body is a plain array, so the next page's cursor is sent in a header; there is none after the last page. */
const cursorHeader = (nextCursor: string | null): Record<string, string> =>
  nextCursor === null ? {} : { 'x-next-cursor': nextCursor }
