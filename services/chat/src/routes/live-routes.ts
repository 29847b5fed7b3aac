import { chatInternalRoutes } from '@parley/contracts'
import { mount, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import { isOpened } from '../generation/replay.ts'
import { presentMessage } from '../present.ts'
import type { Generation } from '../store/documents.ts'
import type { ChatStores } from '../store/index.ts'

/** What the routes for realtime use. */
export interface LiveRoutesDeps {
  readonly stores: Pick<ChatStores, 'chats' | 'messages' | 'generations'>
}

/** Where a user's chat stands, and single messages of it, for whoever passes them on to the user's windows. */
export function addLiveRoutes(router: IRouter, { stores: { chats, messages, generations } }: LiveRoutesDeps): void {
  mount(router, chatInternalRoutes.live, async ({ params, query: { userId } }) => {
    const chat = await chats.find(params.id, userId)
    if (chat === undefined) throw notFound()
    // The answer that is being written is always the last message shown.
    const last = chat.leafId === null ? undefined : await generations.find(chat.leafId, userId)
    const generating = last?.ending === null ? presentRunning(last) : undefined
    return { body: { lastMessageId: chat.leafId, ...(generating && { generating }) } }
  })
  mount(router, chatInternalRoutes.message, async ({ params, query: { userId } }) => {
    const chat = await chats.find(params.id, userId)
    const [message] = chat === undefined ? [] : await messages.path(chat.id, params.messageId, 1)
    if (message === undefined) throw notFound()
    return { body: presentMessage(message) }
  })
}

/** What was saved last: text and number come from one moment. Each frame is one event. */
function presentRunning(answer: Generation) {
  const { id: messageId, content, reasoning, opening, frames } = answer
  if (!isOpened(answer)) return { messageId, lastEventId: 0, content: '', reasoning: '' }
  return { messageId, lastEventId: opening.length + frames.length, content, reasoning }
}
