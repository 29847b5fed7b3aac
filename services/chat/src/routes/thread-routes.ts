import { type ChatDetail, chatRoutes } from '@parley/contracts'
import { actingUser, mount, mountStream, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import type { z } from 'zod'
import { userOf } from '../callers.ts'
import { countChat } from '../history/chat-info.ts'
import { type ClientThread, mergeThread } from '../history/merge.ts'
import { leafThrough, partAround, pathTo } from '../history/tree.ts'
import { presentPage } from '../present.ts'
import { chatIsBusy, ownChat } from '../refusals.ts'
import type { Chat } from '../store/entities.ts'
import { bytesAtOnce, type MessageStore } from '../store/message-store.ts'
import { holdUntilTaken } from './downloads.ts'
import type { RouteParts } from './route-parts.ts'

/** A chat's messages: pages of them, which version is shown, what was thought of them, how many they are, and what a client has that the chat has not. */
export function addThreadRoutes(router: IRouter, deps: RouteParts): void {
  const { stores, changes, followUps } = deps
  const { messages } = stores
  const chatOf = (id: string, ownerId: string): Promise<Chat> => ownChat(stores.chats, id, ownerId)
  mountStream(router, chatRoutes.get, async ({ principal, params, query }, response) => {
    const page = await pageOf(deps, await chatOf(params.id, userOf(principal).ownerId), query)
    const text = JSON.stringify(page)
    holdUntilTaken(deps.downloadMemory, actingUser(principal).network, response).add(Buffer.byteLength(text))
    response.type('json').send(text)
  })
  mount(router, chatRoutes.show, async ({ principal, params, body }) => {
    const chat = await chatOf(params.id, userOf(principal).ownerId)
    const lastMessageId = await showVersion(deps, chat, body.messageId)
    // As it is by now: another window may have renamed, archived or deleted it meanwhile.
    const present = await stores.chats.find(chat.id, chat.ownerId)
    if (present !== undefined) await changes.updated(present, lastMessageId)
    return { body: { chatId: chat.id, lastMessageId } }
  })
  mount(router, chatRoutes.rate, async ({ principal, params, body: { messageId, rating, reason } }) => {
    const chat = await chatOf(params.id, userOf(principal).ownerId)
    const feedback = rating === null ? null : { rating, ...(reason?.trim() && { reason: reason.trim() }) }
    if (!(await messages.rate(chat.id, messageId, feedback))) throw notFound()
    await changes.message(chat.ownerId, chat.id, messageId)
    return { body: { messageId, feedback } }
  })
  mount(router, chatRoutes.followUps, async ({ principal, params, body }) => {
    const { ownerId } = userOf(principal)
    return { body: { suggestions: [...(await followUps.suggest(ownerId, params.id, body.messageId))] } }
  })
  mount(router, chatRoutes.info, async ({ principal, params }) => {
    const chat = await chatOf(params.id, userOf(principal).ownerId)
    return { body: countChat(chat.id, await messages.outline(chat.id)) }
  })
  mount(router, chatRoutes.merge, async ({ principal, body }) => {
    const { ownerId } = userOf(principal)
    const chat = await chatOf(body.chatId, ownerId)
    const merged = await merge(deps, { ...body, ownerId })
    const { updatedAt } = merged > 0 ? await chatOf(chat.id, ownerId) : chat
    return { body: { chatId: chat.id, updatedAt: updatedAt.toISOString(), merged } }
  })
}

type PageQuery = z.output<typeof chatRoutes.get.query & {}>

/** The latest messages, or those before or around one: fewer than `limit` if they are large. */
async function pageOf(deps: RouteParts, chat: Chat, { before, around, limit }: PageQuery): Promise<ChatDetail> {
  const { messages } = deps.stores
  if (around !== undefined) return await pageAround(messages, chat, around, limit)
  if (before === undefined) return presentPage(chat, await messages.path(chat.id, 'shown', limit, bytesAtOnce))
  const first = await messages.find(chat.id, before)
  if (first === undefined) throw notFound()
  const older = first.parentId === null ? [] : await messages.path(chat.id, first.parentId, limit, bytesAtOnce)
  return presentPage(chat, older)
}

/** As many messages before as after this one, or fewer large ones, on the version of the thread that goes through it; on the shown one if that does. */
async function pageAround(messages: MessageStore, chat: Chat, messageId: string, limit: number): Promise<ChatDetail> {
  const { lastId, count, ...place } = await placeAround(messages, chat, messageId, limit)
  return { ...presentPage(chat, await messages.path(chat.id, lastId, count)), ...place }
}

/** Apart, so that the outline is not kept while the page is read. */
async function placeAround(messages: MessageStore, chat: Chat, messageId: string, limit: number) {
  const outline = await messages.outline(chat.id)
  const shownPath = pathTo(outline, chat.leafId)
  const shown = shownPath.some(({ id }) => id === messageId)
  const through = shown ? shownPath : pathTo(outline, leafThrough(outline, messageId) ?? null)
  const middle = through.findIndex(({ id }) => id === messageId)
  if (middle < 0) throw notFound()
  const { first, last } = partAround(through, middle, { limit, bytes: bytesAtOnce })
  const lastId = through[last]?.id ?? messageId
  return { lastId, count: last - first + 1, hasNewer: last < through.length - 1, shown }
}

async function showVersion(deps: RouteParts, chat: Chat, messageId: string): Promise<string> {
  const { messages } = deps.stores
  const leafId = leafThrough(await messages.outline(chat.id), messageId)
  if (leafId === undefined) throw notFound()
  const shown = await messages.show(chat.id, chat.ownerId, leafId, deps.now())
  switch (shown) {
    case 'shown':
      return leafId
    case 'gone':
      throw notFound()
    case 'busy':
      throw chatIsBusy()
    case 'moved':
      // Something was added behind it just now.
      return await showVersion(deps, chat, messageId)
    default:
      return shown satisfies never
  }
}

async function merge(deps: RouteParts, thread: ClientThread): Promise<number> {
  const { stores, changes } = deps
  const { chatId, ownerId, model } = thread
  const added = await mergeThread(deps, thread)
  const last = added.at(-1)
  if (last === undefined) return 0
  // Not by the model of an image, which cannot continue the chat.
  const chat = await stores.chats.noteMessages(chatId, model, last.createdAt)
  for (const message of added) await changes.message(ownerId, chatId, message.id)
  if (chat !== undefined) await changes.updated(chat)
  return added.length
}
