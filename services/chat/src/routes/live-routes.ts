import { chatInternalRoutes } from '@parley/contracts'
import { mount, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import { isOpened } from '../generation/replay.ts'
import type { Parts } from '../parts.ts'
import { presentMessage } from '../present.ts'
import { ownChat } from '../refusals.ts'
import type { Generation } from '../store/entities.ts'

/** The state of a user's chat and single messages of it, for realtime and memory. */
export function addLiveRoutes(router: IRouter, { stores: { chats, messages, generations } }: Parts): void {
  mount(router, chatInternalRoutes.live, async ({ params, query: { userId } }) => {
    const chat = await ownChat(chats, params.id, userId)
    // The answer that is being written is always the last message shown.
    const last = chat.leafId === null ? undefined : await generations.find(chat.leafId, userId)
    const generating = last?.ending === null ? liveState(last) : undefined
    return { body: { lastMessageId: chat.leafId, ...(generating && { generating }) } }
  })
  mount(router, chatInternalRoutes.message, async ({ params, query: { userId } }) => {
    const chat = await ownChat(chats, params.id, userId)
    const [message] = await messages.path(chat.id, params.messageId, 1)
    if (message === undefined) throw notFound()
    return { body: presentMessage(message) }
  })
  mount(router, chatInternalRoutes.question, async ({ params, query: { userId } }) => {
    const chat = await ownChat(chats, params.id, userId)
    const [, question] = await messages.path(chat.id, params.messageId, 2)
    if (question?.role !== 'user') throw notFound()
    return { body: { messageId: question.id, content: question.content, memoryEnabled: chat.memoryOff !== true } }
  })
}

/** The last save: text and number come from one moment. Each frame is one event. */
function liveState(answer: Generation) {
  const { id, content, reasoning, opening, frames, continued } = answer
  const named = { messageId: id, ...(continued && { generationId: continued.id }) }
  if (!isOpened(answer)) return { ...named, lastEventId: 0, content: '', reasoning: '' }
  return { ...named, lastEventId: opening.length + frames.length, content, reasoning }
}
